"""The report of an accounting year, for page and print."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Prefetch, Q, Sum
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.finance.accounting.year_closing import closed_years, stored_closing_figures
from clubs.models import AccountingYearStatusChange, BookAccount, BookEntry, Budget, Club, LedgerEntry, Voucher
from common.tabular.spreadsheets import CellValue
from common.text.amounts import Cents, cents_to_decimal

JOURNAL_HEADINGS = (
    *(_("Entry"), _("Date"), _("From"), _("To"), _("Amount"), _("Currency"), _("Payer or payee"), _("Description")),
    *(_("Receipt"), _("Reverses"), _("Reason"), _("Files"), _("Entered by"), _("Entered on")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetComparison:
    """An actual and a budgeted amount. `budget` is None if there is none."""

    actual: Cents
    budget: Cents | None

    @property
    def difference(self) -> Cents | None:
        """The actual amount minus the budget."""
        return None if self.budget is None else self.actual - self.budget

    @property
    def shortfall(self) -> Cents:
        """The amount by which the result is worse than the budget."""
        return max(0, -(self.difference or 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryReportLine(BudgetComparison):
    """A category in a year's report."""

    account: BookAccount


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyAccountReportLine:
    """A cash or bank account, with its balances at the start and end of the year, or now."""

    account: BookAccount
    opening_balance: Cents
    closing_balance: Cents

    @property
    def balance_change(self) -> Cents:
        return self.closing_balance - self.opening_balance


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountingYearReport:
    """The report for an accounting year.

    Opening balances plus surplus always equal the closing balances, because every entry has two accounts.
    """

    year: int
    is_closed: bool
    money: tuple[MoneyAccountReportLine, ...]
    income: tuple[CategoryReportLine, ...]
    expenses: tuple[CategoryReportLine, ...]
    dues_outstanding: Cents
    paid_ahead: Cents
    entry_count: int
    status_changes: tuple[AccountingYearStatusChange, ...] = ()
    """Closings and reopenings of the year, latest first."""

    @property
    def reopenings(self) -> list[AccountingYearStatusChange]:
        """The reopenings of the year."""
        return [step for step in self.status_changes if not step.closes]

    @property
    def opening_balance(self) -> Cents:
        return sum(line.opening_balance for line in self.money)

    @property
    def closing_balance(self) -> Cents:
        return sum(line.closing_balance for line in self.money)

    @property
    def total_income(self) -> BudgetComparison:
        return _in_all(self.income)

    @property
    def total_expenses(self) -> BudgetComparison:
        return _in_all(self.expenses)

    @property
    def income_amount(self) -> Cents:
        return self.total_income.actual

    @property
    def expense_amount(self) -> Cents:
        return self.total_expenses.actual

    @property
    def surplus(self) -> Cents:
        return self.income_amount - self.expense_amount

    @property
    def surplus_and_budget(self) -> BudgetComparison:
        """The surplus and its budget. The budget is None unless both income and expenses have one."""
        come, go = self.total_income, self.total_expenses
        has_both = come.budget is not None and go.budget is not None
        return BudgetComparison(actual=self.surplus, budget=(come.budget or 0) - (go.budget or 0) if has_both else None)

    @property
    def closing_figures(self) -> dict[str, int]:
        """The figures to save when the year is closed."""
        return {
            "opening": self.opening_balance,
            "income": self.income_amount,
            "expenses": self.expense_amount,
            "closing": self.closing_balance,
            "entries": self.entry_count,
            "dues_outstanding": self.dues_outstanding,
            "paid_ahead": self.paid_ahead,
        }


def _in_all(lines: Sequence[CategoryReportLine]) -> BudgetComparison:
    """Return the totals. Categories without a budget do not count in the budget total."""
    budgets = [line.budget for line in lines if line.budget is not None]
    return BudgetComparison(actual=sum(line.actual for line in lines), budget=sum(budgets) if budgets else None)


def build_year_report(club: Club, year: int) -> AccountingYearReport:
    """Return the report for a year. Nine queries, however many entries there are.

    For a closed year, dues outstanding are those saved at its closing, as later charges and waivers can change them.
    """
    accounts = list(club.book_accounts.all())
    opening_account = {account.pk for account in accounts if account.kind == BookAccount.Kind.OPENING}
    before: dict[int, Cents] = defaultdict(int)
    within: dict[int, Cents] = defaultdict(int)
    entries = BookEntry.objects.filter(club=club, year__lte=year)
    for source, target, of_year, amount in (
        entries.values_list("source", "target", "year").annotate(formatted_amount=Sum("amount")).order_by()
    ):
        # The opening balance of an account counts in the opening balance of its first year.
        is_before = of_year < year or source in opening_account or target in opening_account
        sums = before if is_before else within
        sums[source] -= amount
        sums[target] += amount
    budgets = dict(Budget.objects.filter(account__club=club, year=year).values_list("account_id", "amount"))
    money = [account for account in accounts if account.kind in BookAccount.MONEY_KINDS]
    is_closed = year in closed_years(club)
    owed = _dues_on(club, date(year, 12, 31))
    if is_closed:
        owed |= {name: sum for name, sum in stored_closing_figures(club, year).items() if name in owed}
    return AccountingYearReport(
        year=year,
        is_closed=is_closed,
        money=tuple(
            MoneyAccountReportLine(
                account=each, opening_balance=before[each.pk], closing_balance=before[each.pk] + within[each.pk]
            )
            for each in money
            if not each.is_closed or before[each.pk] or within[each.pk]
        ),
        income=tuple(_categories(accounts, BookAccount.Kind.INCOME, within, budgets, sign=-1)),
        expenses=tuple(_categories(accounts, BookAccount.Kind.EXPENSE, within, budgets, sign=1)),
        entry_count=BookEntry.objects.filter(club=club, year=year).count(),
        status_changes=tuple(AccountingYearStatusChange.objects.filter(club=club, year=year).select_related("by")),
        **owed,
    )


def years_with_entries(club: Club) -> list[int]:
    """Return the years that have entries, latest first."""
    return sorted(set(club.book_entries.values_list("year", flat=True).order_by()), reverse=True)


def journal_entries(club: Club, year: int) -> list[BookEntry]:
    """Return a year's entries sorted by number, with related data but without the documents. Two queries."""
    entries = club.book_entries.filter(year=year).select_related(
        "source", "target", "ledger_entry__account__member", "corrects", "entered_by"
    )
    return list(entries.order_by("number").prefetch_related(Prefetch("vouchers", Voucher.objects.defer("data"))))


def journal_table(club: Club, year: int) -> tuple[tuple[str, ...], list[list[CellValue]]]:
    """Return headings and rows for a year's entries in the reader's language. Two queries."""
    rows: list[list[CellValue]] = [
        [
            entry.voucher_number,
            entry.on,
            account_display_name(entry.source),
            account_display_name(entry.target),
            cents_to_decimal(entry.amount),
            club.currency,
            entry.ledger_entry.account.member.name if entry.ledger_entry else entry.party,
            entry.text,
            entry.ledger_entry.printed_receipt_number if entry.ledger_entry else "",
            entry.corrects.voucher_number if entry.corrects else "",
            entry.ledger_entry.visible_reason if entry.ledger_entry else entry.reason,
            ", ".join(voucher.filename for voucher in entry.vouchers.all()),
            entry.entered_by.get_username() if entry.entered_by else "",
            entry.entered_at.date(),
        ]
        for entry in journal_entries(club, year)
    ]
    return tuple(map(str, JOURNAL_HEADINGS)), rows


def account_display_name(account: BookAccount) -> str:
    """Return the account's name. The opening balance account is named in the reader's language."""
    return gettext("Opening balance") if account.kind == BookAccount.Kind.OPENING else account.name


def _categories(
    accounts: list[BookAccount], kind: str, within: dict[int, Cents], budgets: dict[int, Cents], *, sign: int
) -> list[CategoryReportLine]:
    """Return the categories of a kind that have entries or a budget, or are still open."""
    return [
        CategoryReportLine(account=each, actual=sign * within[each.pk], budget=budgets.get(each.pk))
        for each in accounts
        if each.kind == kind and (within[each.pk] or each.pk in budgets or not each.is_closed)
    ]


def _dues_on(club: Club, day: date) -> dict[str, Cents]:
    """Return what members owed at the end of a day, and what they had paid in advance.

    It counts dues whose due date has passed or whose season is over, whenever they were charged.
    """
    kinds = LedgerEntry.Kind
    rows = (
        LedgerEntry.objects.filter(
            Q(kind__in=[kinds.DUE, kinds.WAIVER], due_on__lte=day)
            | Q(kind__in=[kinds.DUE, kinds.WAIVER], season__ends_on__lte=day) & ~Q(kind=kinds.WAIVER, due_on=None)
            | ~Q(kind=kinds.DUE) & Q(due_on=None, booked_on__lte=day)
        )
        .filter(club=club)
        .values("account__member")
        .annotate(
            due=Sum("amount", filter=Q(kind=kinds.DUE), default=0),
            waived=Sum("amount", filter=Q(kind=kinds.WAIVER), default=0),
            paid=Sum("amount", filter=Q(kind=kinds.PAYMENT), default=0),
            refunded=Sum("amount", filter=Q(kind=kinds.REFUND), default=0),
        )
        .order_by()
    )
    owed = [row["due"] - row["waived"] - row["paid"] + row["refunded"] for row in rows]
    return {
        "dues_outstanding": sum(each for each in owed if each > 0),
        "paid_ahead": -sum(each for each in owed if each < 0),
    }
