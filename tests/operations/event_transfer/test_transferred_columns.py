"""Which columns of an event go into its file, and which stay on the server."""

from __future__ import annotations

import json

import pytest
from django.apps import apps
from django.db.models import Model

from operations.event_transfer import file_format
from operations.event_transfer.file_format import event_file_schema
from pairing.models import (
    ApiToken,
    EditingSession,
    HallMessage,
    PairingProposal,
    PairingStep,
    PaperPreference,
    PrintedPaper,
    RestorePoint,
)
from tests.test_conventions import ROOT
from tournaments.models import (
    Bye,
    CheckIn,
    Entry,
    EntryFee,
    ForbiddenPair,
    Game,
    LogEntry,
    Notification,
    NotificationChannel,
    OnlineEntry,
    OnlineEntrySettings,
    Prize,
    PrizeFund,
    ResultCheck,
    ResultClaim,
    Round,
    Tournament,
)


def test_the_file_fits_the_schema_in_the_documentation():
    kept = json.loads((ROOT / "docs" / "developer" / "event-file.schema.json").read_text())
    assert kept == event_file_schema(), (
        "the format has changed: write the schema anew, and raise the version if files change"
    )


CARRIED: dict[type[Model], tuple[type[file_format.EventFilePart], str]] = {
    Tournament: (file_format.EventFileSettings, "club series slug deleted_at deleted_by"),
    Entry: (file_format.EventFilePlayer, "tournament link_version"),
    ForbiddenPair: (file_format.EventFileForbiddenPair, "tournament"),
    Round: (file_format.EventFileRound, "tournament"),
    Game: (file_format.EventFileBoard, "round"),
    Bye: (file_format.EventFileBye, "round entry"),
    LogEntry: (file_format.EventFileLogLine, "tournament actor seal_number seal"),
    CheckIn: (file_format.EventFileCheckIn, "round entry"),
    ResultClaim: (file_format.EventFileResultClaim, "game entry"),
    ResultCheck: (file_format.EventFileResultCheck, "game"),
    PrizeFund: (file_format.EventFilePrizeFund, "tournament"),
    Prize: (file_format.EventFilePrize, "fund"),
    PairingStep: (file_format.EventFilePairingState, "round"),
    RestorePoint: (file_format.EventFilePairingState, "round"),
    PairingProposal: (file_format.EventFileProposal, "round job"),
    HallMessage: (file_format.EventFileHallMessage, "tournament"),
    OnlineEntrySettings: (file_format.EventFileEntryForm, "tournament is_waiting_list_paused"),
    EntryFee: (file_format.EventFileEntryFee, "settings"),
    # Contact data stays behind, and links and emails are of this server.
    OnlineEntry: (
        file_format.EventFileOnlineEntry,
        "tournament entry member is_member_certain payment email guardian_name guardian_email language site token_hash "
        "token_ends_at email_due email_due_at email_attempts",
    ),
}
"""What goes into a file, as which part of it; and the columns that go another way, or stay behind."""


@pytest.mark.parametrize("model", CARRIED, ids=lambda model: model.__name__)
def test_every_column_goes_into_the_file_or_stays_behind_on_purpose(model):
    part, others = CARRIED[model]
    columns = {field.name for field in model._meta.concrete_fields} - {"id"}
    assert columns - set(part.model_fields) == set(others.split())


def test_whatever_belongs_to_an_event_goes_into_its_file():
    """A table that refers to an event, a round, an entry or a game: transferred, or only for this server.

    That is the session of whoever has a draft open, what this server printed and how, who is told by which device,
    how far its log goes (`SealedChain`), and the tokens of programs.
    """
    inside = {Tournament, Round, Entry, Game}
    named = {
        model
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model in inside and model._meta.app_label in ("tournaments", "pairing")
    }
    assert named - set(CARRIED) == {
        ApiToken,
        EditingSession,
        Notification,
        NotificationChannel,
        PaperPreference,
        PrintedPaper,
    }
