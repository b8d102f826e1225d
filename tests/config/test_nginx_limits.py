"""The limits in the example of nginx's configuration."""

from __future__ import annotations

import re

import pytest

from tests.test_conventions import ROOT

SITE = (ROOT / "deploy" / "nginx" / "clubnight.conf").read_text(encoding="utf-8")


def network(address: str) -> str:
    """The result of the site's `map` of addresses."""
    (block,) = re.findall(r"^map \$remote_addr \$clubnight_network \{\n(.*?)^\}", SITE, re.MULTILINE | re.DOTALL)
    for pattern in re.findall(r'"~(.*)" \$clubnight_prefix;', block):
        if found := re.match(pattern.replace("(?<", "(?P<"), address):
            return found["clubnight_prefix"]
    return address


@pytest.mark.parametrize(
    ("address", "counted_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"),
        ("2001:db8:1:2::6", "2001:db8:1:2"),
        ("2001:db8:1::6", "2001:db8:1"),
        ("2001:db8::6", "2001:db8"),
        ("::1", "::1"),
    ],
)
def test_a_customers_ipv6_network_counts_as_one_address(address, counted_as):
    assert network(address) == counted_as


def test_no_zone_counts_single_addresses():
    zones = re.findall(r"^limit_(?:req|conn)_zone (\S+)", SITE, re.MULTILINE)
    assert len(zones) == 4
    assert set(zones) == {"$clubnight_network"}


def test_a_visitors_large_file_is_refused_but_the_sign_in_page_is_shown():
    (pattern,) = re.findall(r'"~(\^clubnight_visitors .*)" 1;', SITE)
    assert re.match(pattern, "clubnight_visitors POST")
    assert not re.match(pattern, "clubnight_visitors GET")
    assert not re.match(pattern, "clubnight_officers POST")
    (location,) = re.findall(r"clubs/import\)/ \{\n(.*?)^    \}", SITE, re.MULTILINE | re.DOTALL)
    assert "if ($clubnight_large_file_of_visitor)" in location
    assert "limit_req " in location
