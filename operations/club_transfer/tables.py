"""What happens to each table and column when a club moves: exported, created again on arrival, or left out.

A test compares this with the models, so that no table or column is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from django.db import models
from pydantic import Field, JsonValue, TypeAdapter

from clubs.models import (
    AccountingYearStatusChange,
    Applicant,
    BankBalance,
    BankCsvLayout,
    BankStatementLine,
    BookAccount,
    BookEntry,
    Budget,
    Club,
    ClubLetterhead,
    DirectDebitCollection,
    DirectDebitLine,
    DirectDebitMandate,
    DuesAccount,
    DuesSeason,
    ExpectedPayment,
    FeeClass,
    GroupLetter,
    GuestNight,
    LedgerEntry,
    LetterCopy,
    LetterOptOut,
    Member,
    MemberGroup,
    MemberRatingListing,
    MembershipApplication,
    MembershipPeriod,
    PersonalDataAccess,
    RatingRegister,
    RatingScheme,
    Reminder,
    ReminderTemplate,
    User,
    Voucher,
)
from tournaments.models import Entry, OnlineEntry, Series, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveTable:
    """A table in the archive, stored as one CSV file. `club` is the lookup from a row to its club.

    `made_anew` are columns that this server sets on arrival, and `left_out` those that don't move. `refers_to_itself`
    is a column that refers to another row in the table, which comes first. Rows that match `without` don't move.
    """

    name: str
    model: type[models.Model]
    club: str
    columns: str
    made_anew: str = ""
    left_out: str = ""
    refers_to_itself: str = ""
    without: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def fields(self) -> dict[str, models.Field[Any, Any]]:
        """The exported columns, in the order of the file."""
        return {name: self.model._meta.get_field(name) for name in self.columns.split()}  # type: ignore[misc]


PEOPLE = ArchiveTable(
    name="people",
    model=User,
    club="",
    columns="username first_name last_name",
    made_anew="password is_active date_joined",
    left_out="email last_login is_staff is_superuser",
)
"""The authors of the club's entries. On arrival they become names that can't sign in."""

CLUB = ArchiveTable(
    name="club",
    model=Club,
    club="pk",
    columns="name slug city federation language email currency bank_account creditor_id guest_nights_allowed "
    "guest_night_fee calendar_key result_keys colour shows_birthdays time_zone officers_need_two_factor "
    "in_search_engines requested_bye_worth requested_byes_allowed bye_in_last_round bye_deadline_hours "
    "membership_rules_url membership_welcome",
    made_anew="logo_mark",
    left_out="frame_origins is_demo takes_applications",
)

DUES_ACCOUNTS = ArchiveTable(name="dues-accounts", model=DuesAccount, club="member__club", columns="member")
EXPECTED_PAYMENTS = ArchiveTable(
    name="expected-payments",
    model=ExpectedPayment,
    club="club",
    columns="amount purpose payer marked_paid_on",
    made_anew="club",
)
"""Payment references are derived from the ids of these two tables, so the ids are kept if they are free."""

CLUB_TABLES = (
    ArchiveTable(name="groups", model=MemberGroup, club="club", columns="name", made_anew="club"),
    ArchiveTable(
        name="members",
        model=Member,
        club="club",
        columns="status added_on joined_on left_on came_from went_to family_name given_name title sex rating "
        "rating_is_estimate games_before federation fide_id national_id birth_date birth_year email phone "
        "language address guardian_name guardian_email guardian_phone photo_consent photo_consent_on "
        "publication_consent publication_consent_on emergency_note no_reminders family_payer erased_at",
        made_anew="club sort_name search_name link_version",
        left_out="user",
        refers_to_itself="family_payer",
    ),
    ArchiveTable(
        name="members-of-groups", model=Member.groups.through, club="member__club", columns="member membergroup"
    ),
    ArchiveTable(
        name="membership-periods",
        model=MembershipPeriod,
        club="member__club",
        columns="member joined_on left_on came_from went_to",
    ),
    ArchiveTable(
        name="applications",
        model=MembershipApplication,
        club="club",
        columns="state guardian_name email phone address publishes_names shows_photos dues_payment holder iban "
        "signature language sent_at confirmed_at decided_at decided_by reason",
        made_anew="club site email_due_at",
        left_out="token_hash token_ends_at email_due email_attempts",
        without={"state": MembershipApplication.State.UNCONFIRMED},
    ),
    ArchiveTable(
        name="applicants",
        model=Applicant,
        club="application__club",
        columns="application family_name given_name birth_date member",
        without={"application__state": MembershipApplication.State.UNCONFIRMED},
    ),
    ArchiveTable(
        name="letters",
        model=GroupLetter,
        club="club",
        columns="by made_at audience texts left_out",
        made_anew="club site form_key",
    ),
    ArchiveTable(
        name="letter-copies",
        model=LetterCopy,
        club="letter__club",
        columns="letter member name email language values error",
        made_anew="email_due_at",
        left_out="email_due email_attempts",
    ),
    ArchiveTable(name="letter-opt-outs", model=LetterOptOut, club="club", columns="email made_at", made_anew="club"),
    ArchiveTable(name="guest-nights", model=GuestNight, club="member__club", columns="member on"),
    ArchiveTable(
        name="series",
        model=Series,
        club="club",
        columns="name award place_points events_counted attendance_points",
        made_anew="club",
    ),
    ArchiveTable(
        name="dues-seasons",
        model=DuesSeason,
        club="club",
        columns="name starts_on ends_on due_on ages_on part_counts_by instalments",
        made_anew="club",
    ),
    ArchiveTable(
        name="fee-classes",
        model=FeeClass,
        club="season__club",
        columns="season place name amount status from_age to_age family",
    ),
    DUES_ACCOUNTS,
    ArchiveTable(
        name="ledger",
        model=LedgerEntry,
        club="club",
        columns="account kind amount season on_behalf_of booked_on due_on text method reference guest_night_on "
        "receipt_year receipt_number corrects reason entered_by entered_at",
        made_anew="club seal_number seal",
        left_out="form_key",
        refers_to_itself="corrects",
    ),
    ArchiveTable(
        name="reminders", model=Reminder, club="member__club", columns="member on level amount sent_to state by"
    ),
    ArchiveTable(
        name="reminder-texts", model=ReminderTemplate, club="club", columns="level subject text", made_anew="club"
    ),
    ArchiveTable(
        name="book-accounts",
        model=BookAccount,
        club="club",
        columns="kind name number iban begins_on is_for_dues is_for_guests is_for_entry_fees is_closed",
        made_anew="club",
    ),
    ArchiveTable(
        name="book-entries",
        model=BookEntry,
        club="club",
        columns="year number on source target amount party text ledger_entry corrects reason entered_by entered_at",
        made_anew="club seal_number seal",
        left_out="form_key",
        refers_to_itself="corrects",
    ),
    ArchiveTable(
        name="vouchers",
        model=Voucher,
        club="entry__club",
        columns="entry filename kind added_by added_at",
        made_anew="data digest",
    ),
    ArchiveTable(
        name="year-closings",
        model=AccountingYearStatusChange,
        club="club",
        columns="year closes reason figures by at",
        made_anew="club seal_number seal",
    ),
    ArchiveTable(name="budgets", model=Budget, club="account__club", columns="account year amount"),
    EXPECTED_PAYMENTS,
    ArchiveTable(
        name="bank-lines",
        model=BankStatementLine,
        club="club",
        columns="own_account booked_on amount party party_account text bank_reference identity place entry booking "
        "expected_payment part_of ignored_because kept_at kept_by",
        made_anew="club",
        refers_to_itself="part_of",
    ),
    ArchiveTable(name="bank-layouts", model=BankCsvLayout, club="club", columns="headings columns", made_anew="club"),
    ArchiveTable(
        name="bank-balances", model=BankBalance, club="club", columns="own_account on amount", made_anew="club"
    ),
    ArchiveTable(
        name="mandates",
        model=DirectDebitMandate,
        club="member__club",
        columns="member reference holder iban signed_on ended_on",
    ),
    ArchiveTable(
        name="collections",
        model=DirectDebitCollection,
        club="club",
        columns="collected_on made_at made_by taken_back_at",
        made_anew="club form_key",
    ),
    ArchiveTable(
        name="collection-lines",
        model=DirectDebitLine,
        club="collection__club",
        columns="collection member mandate_reference signed_on holder iban amount entry",
    ),
    ArchiveTable(
        name="letterhead",
        model=ClubLetterhead,
        club="club",
        columns="header footer language size",
        made_anew="club logo",
    ),
    ArchiveTable(name="rating-scheme", model=RatingScheme, club="club", columns="method", made_anew="club"),
    ArchiveTable(
        name="rating-registers",
        model=RatingRegister,
        club="club",
        columns="name scale columns",
        made_anew="club",
        left_out="months fetched_from fetched_at fetch_error fetch_validator",
    ),
    ArchiveTable(
        name="rating-listings",
        model=MemberRatingListing,
        club="member__club",
        columns="member register kind month rating factor is_inactive",
    ),
    ArchiveTable(
        name="data-accesses",
        model=PersonalDataAccess,
        club="club",
        columns="member user at what details",
        made_anew="club",
    ),
)
"""The club's tables, each after the tables it refers to."""

EVENTS = ArchiveTable(name="events", model=Tournament, club="club", columns="slug")
PLAYERS = ArchiveTable(name="players", model=Entry, club="tournament__club", columns="tournament member")
"""The member that each player is. `id` is the player's position in the event file."""
ONLINE_ENTRIES = ArchiveTable(
    name="online-entries",
    model=OnlineEntry,
    club="tournament__club",
    columns="tournament member payment email guardian_name guardian_email language",
)
"""What an event file leaves out of online entries. `id` is the entry's position in the event file."""

EVENT_TABLES = (EVENTS, PLAYERS, ONLINE_ENTRIES)
"""What the archive adds to its event files. All other columns of events are in those (see `event_transfer`)."""
ALL_TABLES = (PEOPLE, CLUB, *CLUB_TABLES, *EVENT_TABLES)

IN_EVENT_FILES = frozenset(
    {
        "tournaments.Tournament",
        "tournaments.Entry",
        "tournaments.ForbiddenPair",
        "tournaments.Round",
        "tournaments.Game",
        "tournaments.Bye",
        "tournaments.CheckIn",
        "tournaments.ResultClaim",
        "tournaments.ResultCheck",
        "tournaments.LogEntry",
        "tournaments.PrizeFund",
        "tournaments.Prize",
        "tournaments.OnlineEntrySettings",
        "tournaments.EntryFee",
        "tournaments.OnlineEntry",
        "pairing.PairingStep",
        "pairing.RestorePoint",
        "pairing.PairingProposal",
        "pairing.HallMessage",
    }
)
"""Tables in the files of the events. Deleted events don't move."""

LEFT_OUT: Mapping[str, str] = {
    "clubs.MemberRating": "calculated again from the games",
    "clubs.PendingRatingUpdate": "calculated again from the games",
    "clubs.Membership": "roles are given on the new server",
    "clubs.Invitation": "links work on one server only",
    "clubs.ApplicationNotice": "emails in progress",
    "clubs.SavedMemberFilter": "belongs to an account",
    "clubs.SignInAttempts": "belongs to a server",
    "clubs.ClubRequest": "belongs to a server",
    "clubs.RatingListImport": "rating lists are imported again",
    "clubs.RatingListPlayer": "rating lists are imported again",
    "clubs.User_groups": "permissions belong to a server",
    "clubs.User_user_permissions": "permissions belong to a server",
    "common.Job": "belongs to a server",
    "common.ScheduledTaskRun": "belongs to a server",
    "common.SealedChain": "created again with the seals",
    "common.StoredFile": "files in progress",
    "common.StoredFileChunk": "files in progress",
    "tournaments.Notification": "messages in progress",
    "tournaments.NotificationChannel": "devices and addresses are confirmed again",
    "pairing.EditingSession": "belongs to an account",
    "pairing.ApiToken": "tokens open one server only",
    "pairing.PaperPreference": "what was printed last",
    "pairing.PrintedPaper": "what was printed last",
    "pairing.Webhook": "its secret and its messages are one server's",
    "pairing.WebhookDelivery": "messages in progress",
    "account.EmailAddress": "belongs to an account",
    "account.EmailConfirmation": "belongs to an account",
    "admin.LogEntry": "belongs to a server",
    "auth.Group": "permissions belong to a server",
    "auth.Group_permissions": "permissions belong to a server",
    "auth.Permission": "permissions belong to a server",
    "contenttypes.ContentType": "belongs to a server",
    "mfa.Authenticator": "belongs to an account",
    "sessions.Session": "belongs to an account",
    "usersessions.UserSession": "belongs to an account",
}
"""Tables that don't move, by label, and why."""

_Word = Annotated[str, Field(max_length=500)]
_Text = Annotated[str, Field(max_length=20_000)]
_Whole = Annotated[int, Field(ge=-(2**53), le=2**53)]
JSON_COLUMNS: Mapping[str, TypeAdapter[Any]] = {
    "series.place_points": TypeAdapter(Annotated[list[Annotated[int, Field(ge=0, le=10_000)]], Field(max_length=1000)]),
    "letters.texts": TypeAdapter(list[dict[_Word, _Text]]),
    "letter-copies.values": TypeAdapter(dict[_Word, _Text]),
    "year-closings.figures": TypeAdapter(dict[_Word, _Whole]),
    "bank-layouts.columns": TypeAdapter(dict[_Word, Annotated[int, Field(ge=0, le=1000)]]),
    "rating-registers.columns": TypeAdapter(dict[_Word, Annotated[int, Field(ge=0, le=1000)] | _Word]),
    "data-accesses.details": TypeAdapter(dict[_Word, JsonValue]),
}
"""The shapes of JSON columns, by table and column."""
