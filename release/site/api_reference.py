"""References made from the code, in MyST's notation: the engine's names, and the HTTP API from its own description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

Description = Mapping[str, Any]


def engine_reference() -> str:
    """Return the reference of the engine's stable names. Sphinx fills it from the package itself."""
    import clubnight_engine

    lines = ["", "", "## Reference", "", "```{eval-rst}"]
    for name in sorted(clubnight_engine.__all__, key=str.lower):
        value = getattr(clubnight_engine, name)
        kind = "class" if isinstance(value, type) else "function" if isinstance(value, FunctionType) else "data"
        lines += [
            f".. auto{kind}:: clubnight_engine.{name}",
            *(["   :members:", "   :undoc-members:"] if kind == "class" else []),
        ]
        lines.append("")
    return "\n".join([*lines, "```", ""])


def api_description() -> Description:
    """Return the OpenAPI description that a server serves at `/api/v1/openapi.json`."""
    import django

    django.setup()
    from pairing.public.api.urls import describe_api

    return describe_api()


def api_reference() -> str:
    """Return the reference of the HTTP API: every address, then every object in requests and answers."""
    description = api_description()
    lines = ["", "", "## Addresses", ""]
    for address, methods in description["paths"].items():
        for method, operation in methods.items():
            lines += _operation(method.upper(), address, operation)
    lines += ["## Objects", ""]
    for name, schema in sorted(description["components"]["schemas"].items()):
        lines += _object(name, schema)
    return "\n".join(lines) + "\n"


def _operation(method: str, address: str, operation: Description) -> Iterator[str]:
    yield from (f"### `{method} {address}`", "", operation.get("description") or operation.get("summary", ""), "")
    parameters = operation.get("parameters", [])
    if parameters:
        yield from ("| parameter | in | type | |", "| --- | --- | --- | --- |")
    for each in parameters:
        note = "required" if each.get("required") else f"default {_code(each['schema'].get('default'))}"
        note = f"{each['description']} ({note})" if each.get("description") else note
        yield f"| `{each['name']}` | {each['in']} | {_type(each['schema'])} | {_cell(note)} |"
    yield ""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield from (f"Body: {_type(content['schema'])}", "")
    for status, answer in operation["responses"].items():
        for content in answer.get("content", {}).values():
            yield f"- `{status}`: {_type(content['schema'])}"
    yield ""


def _object(name: str, schema: Description) -> Iterator[str]:
    yield from (f"### {name}", "", schema.get("description", ""), "", "| field | type | |", "| --- | --- | --- |")
    for field, about in schema.get("properties", {}).items():
        yield f"| `{field}` | {_type(about)} | {_cell(about.get('description', ''))} |"
    yield ""


def _type(schema: Description) -> str:
    """Return a type in words, with a link if it is one of the objects."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for key in ("anyOf", "allOf", "oneOf"):
        if key in schema:
            return " or ".join(_type(each) for each in schema[key])
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    if "enum" in schema:
        return ", ".join(_code(each) for each in schema["enum"])
    return str(schema.get("format") or schema.get("type", "any"))


def _code(value: object) -> str:
    if value in (None, ""):
        return "none" if value is None else "empty"
    return f"`{value}`"


def _cell(text: str) -> str:
    return text.replace("\n", " ").replace("|", "\\|")
