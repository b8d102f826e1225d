"""URLs of the API: ninja's patterns, wrapped in `api_view`."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, path, re_path, reverse
from django.views.decorators.http import require_GET

from pairing.public.api import changes  # noqa: F401 - adds its endpoints
from pairing.public.api.endpoints import API_ROOT, API_VERSION, api
from pairing.public.api.view_decorator import api_view


def describe_api() -> dict[str, Any]:
    """Return the OpenAPI description of all endpoints."""
    return dict(api.get_openapi_schema(path_prefix=API_ROOT))


@require_GET
def _root(_request: HttpRequest) -> HttpResponse:
    return JsonResponse(
        {"version": API_VERSION, "description": reverse("api_description"), "clubs": reverse("api_clubs")},
    )


@require_GET
def _description(_request: HttpRequest) -> HttpResponse:
    return JsonResponse(describe_api())


def _nothing(_request: HttpRequest, rest: str) -> HttpResponse:
    return JsonResponse({"detail": "Not Found"}, status=404)


def _ours(pattern: URLPattern) -> URLPattern:
    return path(f"api/v1/{pattern.pattern}", api_view(pattern.callback), name=pattern.name)


def _patterns() -> list[URLPattern]:
    return [each for each in api.urls[0] if isinstance(each, URLPattern)]


urlpatterns = [
    path("api/v1/", api_view(_root), name="api_root"),
    path("api/v1/openapi.json", api_view(_description), name="api_description"),
    # One pattern for each path: its view answers all methods.
    *{str(each.pattern): _ours(each) for each in _patterns() if each.name != "api-root"}.values(),
    # Matches line breaks too, which `<path:rest>` does not.
    re_path(r"^api/(?P<rest>[\s\S]+)\Z", api_view(_nothing), name="api_nothing"),
]
