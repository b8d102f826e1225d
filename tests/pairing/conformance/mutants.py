"""All mutants: one way to get each article of a document wrong."""

from __future__ import annotations

from tests.pairing.conformance.mutants_1989 import OF_1989
from tests.pairing.conformance.mutants_1992 import OF_1992
from tests.pairing.conformance.mutants_2026 import OF_2026
from tests.pairing.conformance.mutants_dubov import OF_DUBOV
from tests.pairing.conformance.mutants_jahr import OF_JAHR, OF_PROGRESSIVE

MUTANTS = (*OF_1989, *OF_JAHR, *OF_1992, *OF_DUBOV, *OF_PROGRESSIVE, *OF_2026)
