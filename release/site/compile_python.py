"""Compile the page's modules to bytecode. compile_python.mjs runs this in the Python that the page will use.

Without it, every visit would begin by compiling two hundred modules.
"""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path
from py_compile import PycInvalidationMode
from py_compile import compile as compile_module

MADE_AT = (1980, 1, 1, 0, 0, 0)
UNUSED = (
    "_pyrepl/", "doctest.py", "imaplib.py", "multiprocessing/", "pdb.py", "pydoc.py", "pydoc_data/", "unittest/",
    "wsgiref/", "xml/", "xmlrpc/",
)  # fmt: skip
"""Parts of the standard library that the page does not need. Leaving them out makes room for the other bytecode."""


def modules_in_use(folder: str) -> set[str]:
    """Return the files of all modules imported from a folder or archive, as they are named in it."""
    files = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
    return {file.removeprefix(f"{folder}/") for file in files if file.startswith(f"{folder}/")}


def compile_archive(content: bytes, folder: str) -> bytes:
    """Return an archive in which the modules that were imported from it, or from this folder, are compiled."""
    used = modules_in_use(folder)
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as given,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out,
    ):
        for name in given.namelist():
            if name.startswith(UNUSED):
                continue
            data = given.read(name)
            if name in used:
                Path("module.py").write_bytes(data)
                how = PycInvalidationMode.UNCHECKED_HASH
                compile_module("module.py", "module.pyc", dfile=name, doraise=True, invalidation_mode=how)
                name, data = f"{name}c", Path("module.pyc").read_bytes()
            out.writestr(zipfile.ZipInfo(name, MADE_AT), data, zipfile.ZIP_DEFLATED)
    return made.getvalue()
