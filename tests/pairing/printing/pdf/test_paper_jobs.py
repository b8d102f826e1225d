"""Papers that take a while are rendered by a job and downloaded at their own URL, each rendered once."""

from __future__ import annotations

import os
import time

import pytest

from common.file_store.stores import FolderFileStore
from common.jobs.queue import create_job, run_job
from common.models import Job
from pairing.printing.pdf import paper_jobs, weasyprint_rendering
from pairing.printing.pdf.paper_jobs import PAPER_TASK, needs_background_job, run_paper_job, start_paper_job
from pairing.printing.pdf.paper_templates import rendered_page_counts
from pairing.printing.pdf.weasyprint_rendering import (
    PAPER_LIFETIME_SECONDS,
    Paper,
    PaperPart,
    enqueue_paper,
    load_enqueued_paper,
    load_or_render_pdf,
)

PAPER = Paper(parts=(PaperPart(html="<p>one</p>", css=""), PaperPart(html="<p>two</p>", css="p {}")))


@pytest.fixture(autouse=True)
def _kept_apart(settings, tmp_path) -> None:
    settings.VAR_DIR = tmp_path


@pytest.fixture
def was_set(monkeypatch) -> list[Paper]:
    """The rendered papers, recorded instead of rendering them."""
    papers: list[Paper] = []

    def keep(paper, *, report_progress):
        papers.append(paper)
        for done in range(len(paper.parts)):
            report_progress(done, len(paper.parts))
        return b"%PDF-", [1] * len(paper.parts)

    monkeypatch.setattr(weasyprint_rendering, "render_and_count_pages", keep)
    return papers


def test_what_was_put_by_comes_back_as_it_was(tmp_path):
    assert (
        load_enqueued_paper(enqueue_paper(PAPER, store=FolderFileStore(tmp_path)), store=FolderFileStore(tmp_path))
        == PAPER
    )
    with pytest.raises(FileNotFoundError):
        load_enqueued_paper("0" * 64, store=FolderFileStore(tmp_path))


def test_only_what_is_long_and_not_kept_takes_a_while(was_set, settings):
    assert not needs_background_job(PAPER)
    long = Paper(parts=(PaperPart(html="<p>.</p>" * 9000, css=""),))
    assert needs_background_job(long)
    load_or_render_pdf(long, store=paper_jobs.paper_store())
    assert not needs_background_job(long)


def test_a_job_sets_a_paper_once(was_set, club, secretary):
    job = start_paper_job(PAPER, by=secretary, club=club, name="two", address="/somewhere/")
    job.refresh_from_db()
    assert (job.state, job.total, job.arguments["next"]) == (Job.State.DONE, 2, "/somewhere/")
    again = start_paper_job(PAPER, by=secretary, club=club, name="two", address="/somewhere/")
    again.refresh_from_db()
    assert again.state == Job.State.DONE
    assert was_set == [PAPER]


def test_pages_are_counted_by_the_names_of_papers_that_follow_one_another(was_set):
    paper = Paper(parts=tuple(PaperPart(html=f"<p>{at}</p>", css="", name=name) for at, name in enumerate("abba")))
    assert rendered_page_counts(paper) is None
    load_or_render_pdf(paper, store=paper_jobs.paper_store())
    assert rendered_page_counts(paper) == [("a", 1), ("b", 2), ("a", 1)]


def test_a_paper_that_is_gone_is_to_be_asked_for_again(was_set, club, secretary):
    job = create_job(PAPER_TASK, by=secretary, club=club, arguments={"paper": "0" * 64})
    assert run_job(job.pk, run_paper_job)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "Print it again" in job.error
    assert was_set == []


def test_the_address_leads_to_the_job_and_then_to_the_paper(was_set, event, secretary, signed_in, address, monkeypatch):
    monkeypatch.setattr(paper_jobs, "MAX_WAIT_SECONDS", 0)
    browser = signed_in(secretary)
    wanted = address("print_starting_list") + "?order=name"
    first = browser.get(wanted)
    job = Job.objects.get()
    assert (first.status_code, first["Location"]) == (302, f"/jobs/{job.pk}/")
    then = browser.get(first["Location"])
    assert (then.status_code, then["Location"]) == (302, wanted)
    paper = browser.get(wanted)
    assert (paper.status_code, paper["Content-Type"]) == (200, "application/pdf")
    assert (len(was_set), Job.objects.count()) == (1, 1)


def test_a_set_paper_is_fetched_with_the_permission_it_always_needs(
    was_set, event, secretary, member, signed_in, address, monkeypatch
):
    monkeypatch.setattr(paper_jobs, "MAX_WAIT_SECONDS", 0)
    signed_in(secretary).get(address("print_attendance"))
    assert signed_in(secretary).get(address("print_attendance")).status_code == 200
    assert signed_in(member).get(address("print_attendance")).status_code == 403
    assert signed_in().get(address("print_attendance")).status_code == 302


def test_a_visitor_gets_a_public_list_from_the_worker(was_set, event, signed_in, address):
    assert signed_in().get(address("print_starting_list")).status_code == 200
    assert Job.objects.count() == 1


def test_papers_nobody_wanted_for_long_are_thrown_away(was_set, tmp_path):
    load_or_render_pdf(PAPER, store=FolderFileStore(tmp_path))
    (old,) = tmp_path.glob("*.pdf")
    long_ago = time.time() - PAPER_LIFETIME_SECONDS - 60
    os.utime(old, (long_ago, long_ago))
    load_or_render_pdf(Paper(parts=(PaperPart(html="another", css=""),)), store=FolderFileStore(tmp_path))
    assert not old.exists()
    assert len(list(tmp_path.glob("*.pdf"))) == 1
