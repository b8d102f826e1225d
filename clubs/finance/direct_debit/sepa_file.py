"""A collection as a file for the bank: ISO 20022 pain.008.001.08, SEPA core direct debit, checked against its schema.

Source: European Payments Council, SEPA Direct Debit Core, customer-to-bank implementation guidelines (EPC130-08).
"""

from __future__ import annotations

import re

from sepaxml import SepaDD

from clubs.finance.direct_debit.debit_collections import payment_references_by_member
from clubs.models import DirectDebitCollection
from common.text.ibans import parse_iban

SEPA_SCHEMA = "pain.008.001.08"
MAX_NAME_LENGTH = 70
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})
_WRITTEN_SO_IN = frozenset({"DE", "AT"})


def name_in_bank_letters(name: str, country: str) -> str:
    """Return a name as the bank writes it: with oe for ö in Germany and Austria, unchanged in other countries."""
    return name.translate(_GERMAN) if country in _WRITTEN_SO_IN else name


def render_sepa_file(collection: DirectDebitCollection) -> bytes:
    """Return a collection's SEPA file. It is always the same for a collection, so banks can recognise duplicates."""
    club = collection.club
    country = parse_iban(club.bank_account)[:2]
    debit = SepaDD(
        {
            "name": name_in_bank_letters(club.name, country)[:MAX_NAME_LENGTH],
            "IBAN": parse_iban(club.bank_account),
            "batch": True,
            "creditor_id": club.creditor_id,
            "currency": "EUR",
        },
        schema=SEPA_SCHEMA,
    )
    lines = list(collection.lines.select_related("member"))
    own = payment_references_by_member(collection)
    for line in lines:
        debit.add_payment(
            {
                "name": name_in_bank_letters(line.holder, country),
                "IBAN": line.iban,
                "amount": line.amount,
                "type": "RCUR",
                "collection_date": collection.collected_on,
                "mandate_id": line.mandate_reference,
                "mandate_date": line.signed_on,
                "description": f"{name_in_bank_letters(club.name, country)[:MAX_NAME_LENGTH]} {own[line.member_id]}",
                "endtoend_id": f"C{collection.pk}-{line.pk}",
            }
        )
    text: bytes = debit.export(validate=True)
    made_at = collection.made_at.strftime("%Y-%m-%dT%H:%M:%S")
    for tag, value in (("MsgId", f"C{collection.pk}"), ("PmtInfId", f"C{collection.pk}-1"), ("CreDtTm", made_at)):
        text = re.sub(rf"<{tag}>[^<]*</{tag}>".encode(), f"<{tag}>{value}</{tag}>".encode(), text)
    return text
