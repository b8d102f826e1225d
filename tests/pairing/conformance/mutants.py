"""All mutants: ways to get each article of a document, and each of its clauses, wrong."""

from __future__ import annotations

from tests.pairing.conformance.mutants_1989 import OF_1989
from tests.pairing.conformance.mutants_1992 import OF_1992
from tests.pairing.conformance.mutants_2026 import OF_2026
from tests.pairing.conformance.mutants_dubov import OF_DUBOV
from tests.pairing.conformance.mutants_jahr import OF_JAHR, OF_PROGRESSIVE
from tests.pairing.conformance.mutants_of_clauses import (
    CLAUSES_1989,
    CLAUSES_1992,
    CLAUSES_2026,
    CLAUSES_DUBOV,
    CLAUSES_JAHR,
)

MUTANTS = (
    *(*OF_1989, *CLAUSES_1989),
    *(*OF_JAHR, *CLAUSES_JAHR),
    *(*OF_1992, *OF_PROGRESSIVE, *CLAUSES_1992),
    *(*OF_DUBOV, *CLAUSES_DUBOV),
    *(*OF_2026, *CLAUSES_2026),
)
