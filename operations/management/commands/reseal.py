"""The command `manage.py reseal`: seal all logs and ledgers with the current secret key."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.db import transaction

from common.models import SealedChain, save_chain
from operations.integrity.seal_checks import sealed_models


class Command(BaseCommand):
    help = (
        "Renew the seals of all event logs and ledgers. Use this for a database from a server with another secret key, "
        "or after the key was changed or lost. Afterwards, earlier tampering can't be found. Run doctor with the old "
        "key first if you still have it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--yes", action="store_true", help="accept all logs and ledgers as they are now")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        if not options["yes"]:
            raise CommandError("Nothing was sealed. Add --yes to accept all logs and ledgers as they are now.")
        SealedChain.objects.all().delete()
        lines = 0
        for model in sealed_models():
            for owner_id in model._base_manager.order_by().values_list(model.SEALED_IN, flat=True).distinct():
                number = 0
                for number, row in enumerate(model.rows_in_chain_order(owner_id), start=1):
                    before, row.seal_number = row.seal, number
                    row.seal = row.computed_seal()
                    if row.seal != before:
                        row.save(update_fields=["seal_number", "seal"])
                save_chain(SealedChain(label=model._meta.label_lower, owner_id=owner_id), number)
                lines += number
        self.stdout.write(f"{lines} lines resealed.")
