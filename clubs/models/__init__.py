"""The rows of clubs: people, money, ratings. Import them from here: `from clubs.models import Member`."""

from clubs.models.accounts import ClubRequest, Invitation, SignInTries
from clubs.models.bank import BankBalance, BankLine, BankTable
from clubs.models.books import BookAccount, BookEntry, Budget, Voucher, YearStep
from clubs.models.chores import ChoreRun
from clubs.models.debits import CollectedDue, Collection, Mandate
from clubs.models.jobs import Job
from clubs.models.money import (
    INSTALMENTS,
    Account,
    FeeClass,
    GuestNight,
    LedgerEntry,
    PartOfSeason,
    Reminder,
    ReminderWords,
    Season,
)
from clubs.models.paper import ClubPaper, PaperSize
from clubs.models.people import (
    Club,
    Group,
    Member,
    Membership,
    ResultKeys,
    Role,
    SavedView,
    Title,
    User,
    Viewing,
    languages,
    time_zones,
)
from clubs.models.ratings import (
    ListedPlayer,
    MemberListing,
    MemberRating,
    RatingListImport,
    RatingMethod,
    RatingRegister,
    RatingScheme,
    RatingsDue,
    TimeKind,
)
from clubs.models.spells import MemberSpell
from clubs.models.working_files import WorkingFile, WorkingPiece

__all__ = [
    "INSTALMENTS",
    "Account",
    "BankBalance",
    "BankLine",
    "BankTable",
    "BookAccount",
    "BookEntry",
    "Budget",
    "ChoreRun",
    "Club",
    "ClubPaper",
    "ClubRequest",
    "CollectedDue",
    "Collection",
    "FeeClass",
    "Group",
    "GuestNight",
    "Invitation",
    "Job",
    "LedgerEntry",
    "ListedPlayer",
    "Mandate",
    "Member",
    "MemberListing",
    "MemberRating",
    "MemberSpell",
    "Membership",
    "PaperSize",
    "PartOfSeason",
    "RatingListImport",
    "RatingMethod",
    "RatingRegister",
    "RatingScheme",
    "RatingsDue",
    "Reminder",
    "ReminderWords",
    "ResultKeys",
    "Role",
    "SavedView",
    "Season",
    "SignInTries",
    "TimeKind",
    "Title",
    "User",
    "Viewing",
    "Voucher",
    "WorkingFile",
    "WorkingPiece",
    "YearStep",
    "languages",
    "time_zones",
]
