"""The tag that repeats text of a printout in its second language."""

from __future__ import annotations

from django import template
from django.template.base import NodeList, Parser, Token
from django.template.context import Context
from django.utils import translation
from django.utils.html import format_html

register = template.Library()

SECOND_LANGUAGE_HTML = ' <span class="second" lang="{}">{}</span>'


class BilingualNode(template.Node):
    """Template node that also renders its content in the context's language `second`, if the result differs."""

    def __init__(self, content: NodeList) -> None:
        self.content = content

    def render(self, context: Context) -> str:
        words = self.content.render(context)
        second = context.get("second")
        if not second:
            return words
        with translation.override(second):
            again = self.content.render(context)
        return words if again == words else words + format_html(SECOND_LANGUAGE_HTML, second, again)


@register.tag
def bilingual(parser: Parser, token: Token) -> BilingualNode:
    """Parse `{% bilingual %}{% translate "White" %}{% endbilingual %}`."""
    content = parser.parse(("endbilingual",))
    parser.delete_first_token()
    return BilingualNode(content)
