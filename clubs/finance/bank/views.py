"""Views for importing statements, choosing a bank's columns once, and reviewing and booking the lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import get_club_for_auditor, get_club_for_treasurer
from clubs.finance.bank.bank_formats import BankFormat, find_bank_format, recognise_bank_table
from clubs.finance.bank.forms import (
    OTHER_TABLE,
    BankBalanceForm,
    LinePartBaseFormSet,
    LinePartFormSet,
    StatementColumnsForm,
    StatementUploadForm,
    booking_target_choices,
    parse_booking_target,
)
from clubs.finance.bank.line_booking import book_bank_line, book_certain_lines, ignore_bank_line, restore_ignored_line
from clubs.finance.bank.line_splitting import MIN_PARTS, split_bank_line, unsplit_bank_line
from clubs.finance.bank.matching import LineWithProposals, bank_lines_to_review, propose_line_bookings
from clubs.finance.bank.reconciliation import (
    bank_account_statuses,
    bank_accounts,
    manual_balance_key,
    reconcile_balances,
)
from clubs.finance.bank.statement_reader import (
    CAMT,
    MT940,
    READ_STATEMENT_TASK,
    read_camt_or_mt940,
    read_pasted_statement,
    reject_invalid_lines,
)
from clubs.finance.bank.statement_tables import (
    detect_columns,
    has_required_columns,
    known_heading_fingerprints,
    parse_statement_table,
    possible_heading_lines,
    read_bank_table,
    save_column_layout,
)
from clubs.finance.bank.statements import (
    ClosingBalance,
    ParsedStatement,
    adapt_statement_to_club,
    save_closing_balance,
    save_statement,
)
from clubs.finance.dues.ledger import pending_collection_dates
from clubs.models import BankCsvLayout, BankStatementLine, BookAccount, Club, Member
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest, parse_key, show_submitted_values, submitted_row_count
from common.file_store.uploads import UploadGone, delete_upload, load_upload, store_upload
from common.jobs.file_reading import read_upload_first
from common.problems import OfficerProblem
from common.tabular.parsed_table import ParsedTable
from common.text.amounts import format_money, set_form_currency
from common.text.ibans import normalise_account_number

MAX_LINES_SHOWN = 60
ADDED_PART_ROWS = 2
MAX_BOOKED_SHOWN = 30


@require_safe
def bank_lines_review(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show the lines under review with their proposals, and the lines handled most recently."""
    the_club = get_club_for_auditor(request.user, club)
    today = timezone.localdate()
    waiting = bank_lines_to_review(the_club).select_related("part_of")
    proposed = propose_line_bookings(the_club, list(waiting[:MAX_LINES_SHOWN]), today=today)
    settled = the_club.bank_lines.filter(parts=None).exclude(pk__in=waiting.values("pk"))
    accounts = bank_accounts(the_club)
    context = club_page_context(request.user, the_club, "bank_lines_review") | {
        "proposed": proposed,
        "waiting_count": waiting.count(),
        "certain_count": sum(1 for each in proposed if each.best_proposal and each.best_proposal.is_certain),
        "focused": _focused(the_club, proposed, request.GET.get("after", "")),
        "settled": settled.select_related(
            "entry__account__member", "expected_payment", "booking__source", "booking__target"
        ).order_by("-pk")[:MAX_BOOKED_SHOWN],
        "targets": booking_target_choices(the_club) if proposed else [],
        "standings": bank_account_statuses(the_club, today=today),
        "balance": BankBalanceForm(accounts=accounts) if accounts else None,
    }
    return render(request, "clubs/finance/bank/bank_lines.html", context)


@require_POST
def bank_line_book(request: AuthenticatedRequest, club: str, line: int) -> HttpResponse:
    """Book a line to the chosen target: `member:` or `account:`, followed by a key.

    Asks for confirmation if the member's dues are being collected: they may be paying twice.
    """
    the_club = get_club_for_treasurer(request.user, club)
    the_line = get_object_or_404(BankStatementLine, club=the_club, pk=line)
    target = parse_booking_target(the_club, request.POST.get("target", ""))
    day = pending_collection_dates(the_club, target).get(target.pk) if isinstance(target, Member) else None
    if target is None:
        messages.error(request, _("Choose a member or account."))
    elif day and the_line.amount > 0 and "sure" not in request.POST:
        context = club_page_context(request.user, the_club, "bank_lines_review") | {
            "line": the_line,
            "target": target,
            "day": day,
        }
        context["chosen"] = request.POST["target"]
        return render(request, "clubs/finance/bank/bank_confirm.html", context, status=422)
    else:
        try:
            book_bank_line(the_line, target, by=request.user)
        except OfficerProblem as problem:
            messages.error(request, problem.message)
        else:
            messages.success(request, _("Recorded: %(what)s.") % {"what": target})
    return _next_line(club, the_line)


@require_POST
def bank_lines_book_certain(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Book all lines with a definite match."""
    the_club = get_club_for_treasurer(request.user, club)
    proposed = propose_line_bookings(
        the_club, list(bank_lines_to_review(the_club)[:MAX_LINES_SHOWN]), today=timezone.localdate()
    )
    count, refused = book_certain_lines(proposed, by=request.user)
    said = ngettext("%(n)s transaction recorded.", "%(n)s transactions recorded.", count) % {"n": count}
    (messages.success if count else messages.warning)(request, said)
    for why in refused:
        messages.warning(request, why)
    return redirect("bank_lines_review", club)


@require_POST
def bank_line_ignore(request: AuthenticatedRequest, club: str, line: int) -> HttpResponse:
    """Ignore a line, or put it back under review."""
    the_club = get_club_for_treasurer(request.user, club)
    the_line = get_object_or_404(BankStatementLine, club=the_club, pk=line)
    try:
        if "again" in request.POST:
            restore_ignored_line(the_line)
            said = _("Moved back to review.")
        else:
            ignore_bank_line(the_line, reason=request.POST.get("reason", ""))
            said = _("Transaction ignored. You can review it again below.")
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, said)
    return _next_line(club, the_line)


@require_POST
def bank_balance_add(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Enter the bank's balance for an account."""
    the_club = get_club_for_treasurer(request.user, club)
    form = set_form_currency(BankBalanceForm(request.POST, accounts=bank_accounts(the_club)), the_club.currency)
    if form.is_valid():
        account, said = form.cleaned_data["account"], form.cleaned_data
        save_closing_balance(
            the_club, ClosingBalance(own_account=manual_balance_key(account), on=said["on"], amount=said["amount"])
        )
        messages.success(request, _("Bank balance saved."))
    else:
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    return redirect("bank_lines_review", club)


@require_http_methods(["GET", "HEAD", "POST"])
def bank_line_split(request: AuthenticatedRequest, club: str, line: int) -> HttpResponse:
    """Split a line between several members and categories, and book the parts with a target."""
    the_club = get_club_for_treasurer(request.user, club)
    the_line = get_object_or_404(BankStatementLine, club=the_club, pk=line)
    if not bank_lines_to_review(the_club).filter(pk=the_line.pk, part_of=None).exists():
        messages.error(request, _("This transaction has already been recorded, split or ignored."))
        return redirect("bank_lines_review", club)
    choices = {"targets": [("", _("choose later")), *booking_target_choices(the_club)]}
    is_sent = request.method == "POST" and "more" not in request.POST
    rows = submitted_row_count(request.POST, "form") + ADDED_PART_ROWS if "more" in request.POST else MIN_PARTS
    whole = abs(the_line.amount)
    parts = LinePartFormSet(request.POST if is_sent else None, whole=whole, rows=rows, form_kwargs=choices)
    for each in parts.forms:
        set_form_currency(each, the_club.currency)
    problem = ""
    if is_sent and parts.is_valid():
        problem = _parted(request, the_club, the_line, parts)
        if not problem:
            return redirect("bank_lines_review", club)
    for part in [] if is_sent else parts.forms:
        show_submitted_values(part, request.POST)
    context = club_page_context(request.user, the_club, "bank_lines_review") | {
        "line": the_line,
        "parts": parts,
        "problem": problem,
    }
    return render(request, "clubs/finance/bank/bank_split.html", context, status=422 if is_sent else 200)


@require_POST
def bank_line_unsplit(request: AuthenticatedRequest, club: str, line: int) -> HttpResponse:
    """Undo a split."""
    the_club = get_club_for_treasurer(request.user, club)
    the_line = get_object_or_404(BankStatementLine, club=the_club, pk=line)
    try:
        unsplit_bank_line(the_line)
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, _("Split undone. The whole transaction is back under review."))
    return redirect("bank_lines_review", club)


def _parted(request: AuthenticatedRequest, club: Club, line: BankStatementLine, parts: LinePartBaseFormSet) -> str:
    """Split the line. Return the problem, or an empty string."""
    said = [(amount, parse_booking_target(club, text)) for amount, text in parts.parts]
    try:
        made = split_bank_line(line, said, by=request.user)
    except OfficerProblem as problem:
        return problem.message
    booked = sum(1 for _amount, target in said if target is not None)
    told = _("Parts recorded: %(booked)s. Parts to review: %(waiting)s.")
    messages.success(request, told % {"booked": booked, "waiting": len(made) - booked})
    return ""


def _next_line(club: str, line: BankStatementLine) -> HttpResponse:
    """Redirect to the review page, at the line after this one."""
    return redirect(f"{reverse('bank_lines_review', args=[club])}?after={line.pk}")


def _focused(club: Club, proposed: list[LineWithProposals], after: str) -> int:
    """Return the key of the line to focus: the first after the last one handled, else the first."""
    done = BankStatementLine.objects.filter(club=club, pk=parse_key(after)).first() if after else None
    keys = [(each.line.booked_on, each.line.pk) for each in proposed]
    behind = [pk for on, pk in keys if done and (on, pk) >= (done.booked_on, done.pk)]
    return next(iter([*behind, *(pk for _on, pk in keys)]), 0)


MAX_ROWS_SHOWN = 5


@require_http_methods(["GET", "HEAD", "POST"])
def bank_statement_import(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Import a statement. If a table's columns are not known yet, ask for them first."""
    the_club = get_club_for_treasurer(request.user, club)
    if "token" in request.POST:
        return _columns_said(request, the_club)
    if "read" in request.POST:
        return _file_read(request, the_club)
    form = StatementUploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            if file is None:
                statement = read_pasted_statement(form.cleaned_data["text"], today=timezone.localdate())
                return _kept(request, the_club, adapt_statement_to_club(the_club, statement))
            data, said = file.read(), form.cleaned_data
            token = store_upload(data, file.name, by=request.user, place=_place(the_club))
            return read_upload_first(
                request,
                data,
                token,
                task=READ_STATEMENT_TASK,
                place=_place(the_club),
                back=request.path,
                more={"ask": "1" if said["ask_again"] else "", "format": said["format"]},
                options={"chosen": said["format"]},
            ) or _file_given(request, the_club, data, token, said=said)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
    return _import_page(request, the_club, form)


def _import_page(request: AuthenticatedRequest, club: Club, form: StatementUploadForm) -> HttpResponse:
    """Show the form, and for a large file that has been read the button to import it, or why it can't be."""
    token, chosen = request.GET.get("token", ""), request.GET.get("format", "")
    if token and (problem := _problem_of_file(request, club, token, chosen)):
        messages.error(request, problem)
        return redirect("bank_statement_import", club.slug)
    context = club_page_context(request.user, club, "bank_lines_review") | {
        "form": form,
        "token": token,
        "ask": request.GET.get("ask", ""),
        "format": chosen,
    }
    return render(request, "clubs/finance/bank/bank_import.html", context, status=422 if form.errors else 200)


def _problem_of_file(request: AuthenticatedRequest, club: Club, token: str, chosen: str) -> str:
    """Return why an uploaded file is no statement, or an empty string. What a worker has read is not read again."""
    try:
        data, _filename = load_upload(token, by=request.user, place=_place(club))
        if chosen not in ("", CAMT, MT940) or not read_camt_or_mt940(data, today=timezone.localdate(), chosen=chosen):
            _table(club, data, chosen)
    except UploadGone:
        return _("The file is no longer available. Choose it again.")
    except OfficerProblem as problem:
        return problem.message
    return ""


def _file_read(request: AuthenticatedRequest, club: Club) -> HttpResponse:
    """Import a large file that a worker has read."""
    token = request.POST["read"]
    said = {"format": request.POST.get("format", ""), "ask_again": "ask" in request.POST}
    try:
        data, _filename = load_upload(token, by=request.user, place=_place(club))
        return _file_given(request, club, data, token, said=said)
    except UploadGone:
        messages.error(request, _("The file is no longer available. Choose it again."))
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    return redirect("bank_statement_import", club.slug)


def _file_given(
    request: AuthenticatedRequest, club: Club, data: bytes, token: str, *, said: Mapping[str, Any]
) -> HttpResponse:
    chosen = said["format"]
    statement = None
    if chosen in ("", CAMT, MT940):
        statement = read_camt_or_mt940(data, today=timezone.localdate(), chosen=chosen)
    if statement is not None:
        delete_upload(token, by=request.user, place=_place(club))
        return _kept(request, club, adapt_statement_to_club(club, statement))
    bank, table = _table(club, data, chosen)
    columns = detect_columns(club, table, bank)
    accounts = _accounts(club)
    is_known = has_required_columns(columns) and BankCsvLayout.objects.filter(club=club, columns=columns).exists()
    if len(accounts) < 2 and is_known and not said["ask_again"]:
        statement = reject_invalid_lines(parse_statement_table(table, columns, bank=bank), today=timezone.localdate())
        delete_upload(token, by=request.user, place=_place(club))
        return _kept(request, club, adapt_statement_to_club(club, statement))
    # Many banks write the account above their table; tables of two accounts at one bank have the same headings.
    text = normalise_account_number(data.decode("latin-1"))
    initial = {name: str(place) for name, place in columns.items()}
    initial["whose"] = next(
        (account.iban for account in accounts if normalise_account_number(account.iban) in text), ""
    )
    above = possible_heading_lines(data) if bank is None else ()
    form = StatementColumnsForm(table=table, above=above, accounts=accounts, initial=initial)
    return _columns_page(request, club, form, token, bank=bank, chosen=chosen)


def _table(
    club: Club, data: bytes, chosen: str, *, headings_in: int | None = None
) -> tuple[BankFormat | None, ParsedTable]:
    """Return the table of a file from its headings on, and its bank's format if it has one.

    Raises OfficerProblem if it isn't a table, or not one from the chosen bank.
    """
    only = find_bank_format(chosen)
    if chosen != OTHER_TABLE and (found := recognise_bank_table(data, only=only)):
        return found
    if only is not None:
        said = {"bank": only.name, "headings": ", ".join(only.headings)}
        raise OfficerProblem(
            _(
                "This isn't a table from %(bank)s. No line has the headings %(headings)s. Choose another "
                "format, or let us detect it."
            )
            % said
        )
    return None, read_bank_table(data, known=known_heading_fingerprints(club), headings_in=headings_in)


def _columns_said(request: AuthenticatedRequest, club: Club) -> HttpResponse:
    token = request.POST["token"]
    try:
        data, _filename = load_upload(token, by=request.user, place=_place(club))
    except UploadGone:
        messages.error(request, _("The file is no longer available. Choose it again."))
        return redirect("bank_statement_import", club.slug)
    said = parse_key(request.POST.get("headings_in", ""))
    chosen = request.POST.get("format", "")
    try:
        bank, table = _table(club, data, chosen, headings_in=said)
    except OfficerProblem as problem:
        messages.error(request, problem.message)
        return redirect("bank_statement_import", club.slug)
    accounts, above = _accounts(club), possible_heading_lines(data) if bank is None else ()
    if "other_line" in request.POST:
        initial = {name: str(place) for name, place in detect_columns(club, table).items()}
        form = StatementColumnsForm(table=table, above=above, accounts=accounts, initial=initial)
        return _columns_page(request, club, form, token, bank=bank, chosen=chosen)
    form = StatementColumnsForm(request.POST, table=table, above=above, accounts=accounts)
    if not form.is_valid() or "look" in request.POST:
        return _columns_page(request, club, form, token, bank=bank, chosen=chosen)
    statement = reject_invalid_lines(
        parse_statement_table(table, form.cleaned_data, bank=bank, own_account=form.own_account),
        today=timezone.localdate(),
    )
    if not statement.lines:
        form.add_error(None, _("We found no transactions in these columns. Check your choices."))
        return _columns_page(request, club, form, token, bank=bank, chosen=chosen)
    try:
        statement = adapt_statement_to_club(club, statement)
    except OfficerProblem as problem:
        form.add_error(None, problem.message)
        return _columns_page(request, club, form, token, bank=bank, chosen=chosen)
    save_column_layout(club, table, form.cleaned_data)
    if "text" not in form.cleaned_data:
        messages.warning(request, _("Without a description column, we can't find payment references."))
    delete_upload(token, by=request.user, place=_place(club))
    return _kept(request, club, statement)


def _columns_page(
    request: AuthenticatedRequest,
    club: Club,
    form: StatementColumnsForm,
    token: str,
    *,
    bank: BankFormat | None,
    chosen: str,
) -> HttpResponse:
    """Show the first rows as in the file, and as read with the columns chosen or guessed."""
    first = replace(form.table, lines=form.table.lines[: 1 + MAX_ROWS_SHOWN])
    columns = form.cleaned_data if form.is_bound else form.guessed_columns
    context = club_page_context(request.user, club, "bank_lines_review") | {
        "form": form,
        "token": token,
        "bank": bank,
        "chosen": chosen,
        "headings": first.headings,
        "rows": first.rows,
        "reading": (
            parse_statement_table(first, columns, bank=bank)
            if has_required_columns(columns) and not form.errors
            else None
        ),
    }
    return render(request, "clubs/finance/bank/bank_columns.html", context, status=422 if form.errors else 200)


def _kept(request: AuthenticatedRequest, club: Club, statement: ParsedStatement) -> HttpResponse:
    """Save the readable lines that are the club's (`adapt_statement_to_club`), and show the problems."""
    kept = save_statement(club, statement, by=request.user)
    said = _("New transactions: %(new)s. Already imported: %(known)s.") % {
        "new": kept.new_count,
        "known": kept.known_count,
    }
    (messages.success if kept.new_count else messages.warning)(request, said)
    if statement.not_booked_count:
        left_out = ngettext(
            "%(n)s transaction was left out, because it is still pending at the bank.",
            "%(n)s transactions were left out, because they are still pending at the bank.",
            statement.not_booked_count,
        )
        messages.info(request, left_out % {"n": statement.not_booked_count})
    _tell_balances(request, club, statement)
    if statement.problems:
        context = club_page_context(request.user, club, "bank_lines_review") | {"problems": statement.problems}
        return render(request, "clubs/finance/bank/bank_problems.html", context)
    return redirect("bank_lines_review", club.slug)


def _tell_balances(request: AuthenticatedRequest, club: Club, statement: ParsedStatement) -> None:
    for each in reconcile_balances(club, statement.balances):
        said = {
            "account": each.account.name,
            "day": date_format(each.bank_balance.on, "SHORT_DATE_FORMAT"),
            "bank": format_money(each.bank_balance.amount, club.currency),
            "books": format_money(each.book_balance, club.currency),
            "difference": format_money(each.difference, club.currency),
        }
        if each.difference:
            text = (
                _(
                    "On %(day)s, %(account)s had a bank balance of %(bank)s. Ours is %(books)s, including "
                    "transactions to review."
                )
                % said
            )
            messages.warning(request, f"{text} {_('Difference')}: {said['difference']}")
        else:
            text = _(
                "On %(day)s, %(account)s had a bank balance of %(bank)s. Ours is the same, including "
                "transactions to review."
            )
            messages.success(request, text % said)


def _accounts(club: Club) -> list[BookAccount]:
    """Return the club's open bank accounts with an IBAN."""
    return list(club.book_accounts.filter(kind=BookAccount.Kind.BANK, is_closed=False).exclude(iban=""))


def _place(club: Club) -> str:
    return f"bank {club.pk}"
