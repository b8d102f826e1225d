"""A collection as the bank takes it: ISO 20022 pain.008.001.08, SEPA core direct debit, checked against its schema.

Source: European Payments Council, SEPA Direct Debit Core, customer-to-bank implementation guidelines (EPC130-08).
"""

from __future__ import annotations

import re

from sepaxml import SepaDD

from clubs.finance.direct_debit.collecting import references
from clubs.models import Collection
from common.text.ibans import read_iban

SCHEMA = "pain.008.001.08"
MOST_NAME = 70
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})
_WRITTEN_SO_IN = frozenset({"DE", "AT"})


def written(name: str, country: str) -> str:
    """A name in the letters that banks take: German and Austrian ones write ö as oe; elsewhere marks are left out."""
    return name.translate(_GERMAN) if country in _WRITTEN_SO_IN else name


def sepa_file(collection: Collection) -> bytes:
    """The file. The same collection gives the same file, so that a bank knows one it has had before."""
    club = collection.club
    country = read_iban(club.bank_account)[:2]
    debit = SepaDD(
        {
            "name": written(club.name, country)[:MOST_NAME],
            "IBAN": read_iban(club.bank_account),
            "batch": True,
            "creditor_id": club.creditor_id,
            "currency": "EUR",
        },
        schema=SCHEMA,
    )
    lines = list(collection.lines.select_related("member"))
    own = references(collection)
    for line in lines:
        debit.add_payment(
            {
                "name": written(line.holder, country),
                "IBAN": line.iban,
                "amount": line.amount,
                "type": "RCUR",
                "collection_date": collection.collected_on,
                "mandate_id": line.mandate_reference,
                "mandate_date": line.signed_on,
                "description": f"{written(club.name, country)[:MOST_NAME]} {own[line.member_id]}",
                "endtoend_id": f"C{collection.pk}-{line.pk}",
            }
        )
    text: bytes = debit.export(validate=True)
    made_at = collection.made_at.strftime("%Y-%m-%dT%H:%M:%S")
    for tag, value in (("MsgId", f"C{collection.pk}"), ("PmtInfId", f"C{collection.pk}-1"), ("CreDtTm", made_at)):
        text = re.sub(rf"<{tag}>[^<]*</{tag}>".encode(), f"<{tag}>{value}</{tag}>".encode(), text)
    return text
