"""The rows of clubs: people, money, ratings. Import them from here: `from clubs.models import Member`."""

from clubs.models.bank import BankLine, BankTable
from clubs.models.books import BookAccount, BookEntry, Budget, Voucher, YearStep
from clubs.models.jobs import Job
from clubs.models.money import Account, FeeClass, GuestNight, LedgerEntry, Reminder, Season
from clubs.models.paper import ClubPaper, PaperSize
from clubs.models.people import (
    Club,
    Group,
    Language,
    Member,
    Membership,
    ResultKeys,
    Role,
    SavedView,
    Title,
    User,
    Viewing,
)
from clubs.models.ratings import (
    ListedPlayer,
    MemberListing,
    MemberRating,
    RatingListImport,
    RatingMethod,
    RatingRegister,
    RatingScheme,
    TimeKind,
)

__all__ = [
    "Account",
    "BankLine",
    "BankTable",
    "BookAccount",
    "BookEntry",
    "Budget",
    "Club",
    "ClubPaper",
    "FeeClass",
    "Group",
    "GuestNight",
    "Job",
    "Language",
    "LedgerEntry",
    "ListedPlayer",
    "Member",
    "MemberListing",
    "MemberRating",
    "Membership",
    "PaperSize",
    "RatingListImport",
    "RatingMethod",
    "RatingRegister",
    "RatingScheme",
    "Reminder",
    "ResultKeys",
    "Role",
    "SavedView",
    "Season",
    "TimeKind",
    "Title",
    "User",
    "Viewing",
    "Voucher",
    "YearStep",
]
