"""URLs of the API: ninja's patterns, wrapped in `api_view`."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, path, re_path, reverse

from pairing.public.api.endpoints import API_ROOT, API_VERSION, api
from pairing.public.api.view_decorator import api_view


def _root(_request: HttpRequest) -> HttpResponse:
    return JsonResponse(
        {"version": API_VERSION, "description": reverse("api_description"), "clubs": reverse("api_clubs")},
    )


def _description(_request: HttpRequest) -> HttpResponse:
    return JsonResponse(api.get_openapi_schema(path_prefix=API_ROOT))


def _nothing(_request: HttpRequest, rest: str) -> HttpResponse:
    return JsonResponse({"detail": "Not Found"}, status=404)


def _ours(pattern: URLPattern) -> URLPattern:
    return path(f"api/v1/{pattern.pattern}", api_view(pattern.callback), name=pattern.name)


urlpatterns = [
    path("api/v1/", api_view(_root), name="api_root"),
    path("api/v1/openapi.json", api_view(_description), name="api_description"),
    *(_ours(each) for each in api.urls[0] if isinstance(each, URLPattern) and each.name != "api-root"),
    # Matches line breaks too, which `<path:rest>` does not.
    re_path(r"^api/(?P<rest>[\s\S]+)\Z", api_view(_nothing), name="api_nothing"),
]
