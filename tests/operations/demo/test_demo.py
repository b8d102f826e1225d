"""The demo club."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from clubs.models import Club, Member, User
from tournaments.models import Bye, Game, PairingSystem, Round, Tournament


def test_the_demo_is_not_made_where_its_passwords_would_let_strangers_in(db, settings):
    settings.DEBUG = False
    with pytest.raises(CommandError):
        call_command("demo")
    assert not Club.objects.exists()


def test_a_club_to_look_around_in(db, settings, capsys):
    settings.DEBUG = True
    call_command("demo")
    printed = capsys.readouterr().out
    assert Member.objects.count() == 46
    running, finished = (
        Tournament.objects.get(system=PairingSystem.JAHR),
        Tournament.objects.get(system=PairingSystem.FIDE_1989),
    )
    assert list(running.rounds.values_list("state", flat=True)) == ["finished"] * 3 + ["waiting"] * 4
    assert set(finished.rounds.values_list("state", flat=True)) == {Round.State.FINISHED}
    assert finished.rounds.count() == 7
    assert running.entries.filter(entered_in_round=2).exists()
    assert running.entries.filter(withdrawn_from_round=3).exists()
    assert Game.objects.filter(round__tournament=running, result=Game.Result.WHITE_WINS_FORFEIT).exists()
    assert Bye.objects.filter(round__tournament=running, round__number=4).count() == 2
    for name in ("secretary", "arbiter", "treasurer", "player"):
        assert f"{name}-demo" in printed
        assert User.objects.get(username=name).check_password(f"{name}-demo")

    before = Game.objects.count(), Member.objects.count()
    call_command("demo")
    assert (Game.objects.count(), Member.objects.count()) == before
    assert "already exists" in capsys.readouterr().out
