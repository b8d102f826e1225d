"""What of an event goes into its file, column by column, and what stays with its server."""

from __future__ import annotations

import json

import pytest
from django.apps import apps
from django.db.models import Model

from operations.event_transfer import document
from operations.event_transfer.document import schema
from pairing.models import EditingSession, HallMessage, PairingStep, PaperHabit, Printing, Proposal, RestorePoint
from tests.test_conventions import ROOT
from tournaments.models import (
    Bye,
    CheckIn,
    Entry,
    ForbiddenPair,
    Game,
    LogEntry,
    Message,
    MessageWay,
    Prize,
    PrizeFund,
    ResultClaim,
    Round,
    SealedLog,
    SecondReading,
    Tournament,
)


def test_the_file_fits_the_schema_in_the_documentation():
    kept = json.loads((ROOT / "docs" / "event-file.schema.json").read_text())
    assert kept == schema(), "the format has changed: write the schema anew, and raise the version if files change"


CARRIED: dict[type[Model], tuple[type[document.Part], str]] = {
    Tournament: (document.Settings, "club series slug deleted_at deleted_by"),
    Entry: (document.PlayerEntry, "tournament link_version"),
    ForbiddenPair: (document.Apart, "tournament"),
    Round: (document.EventRound, "tournament"),
    Game: (document.Board, "round"),
    Bye: (document.WithoutGame, "round entry"),
    LogEntry: (document.LogLine, "tournament actor sealed"),
    CheckIn: (document.AtTheDoor, "round entry"),
    ResultClaim: (document.Claim, "game entry"),
    SecondReading: (document.Reading, "game"),
    PrizeFund: (document.Prizes, "tournament"),
    Prize: (document.OnePrize, "fund"),
    PairingStep: (document.State, "round"),
    RestorePoint: (document.State, "round"),
    Proposal: (document.Trial, "round job"),
    HallMessage: (document.Message, "tournament"),
}
"""What goes into a file, as which part of it; and the columns that go another way, or stay behind."""


@pytest.mark.parametrize("model", CARRIED, ids=lambda model: model.__name__)
def test_every_column_goes_into_the_file_or_stays_behind_on_purpose(model):
    part, others = CARRIED[model]
    columns = {field.name for field in model._meta.concrete_fields} - {"id"}
    assert columns - set(part.model_fields) == set(others.split())


def test_whatever_belongs_to_an_event_goes_into_its_file():
    """A table that names an event, a round, an entry or a game: carried, or of this server alone.

    That is the session of whoever has a draft open, what this server printed and how, who is told by which device,
    and how far the log is sealed here.
    """
    inside = {Tournament, Round, Entry, Game}
    named = {
        model
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model in inside and model._meta.app_label in ("tournaments", "pairing")
    }
    assert named - set(CARRIED) == {EditingSession, Message, MessageWay, PaperHabit, Printing, SealedLog}
