"""Mirrors every screen for right-to-left interfaces.

Styles are written for left-to-right screens. When they are applied to a widget, left and right
are swapped: padding, borders, alignment, and the order of adjacent widgets. The focus moves in
reading order. Each widget orders the parts of its own lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from textual.css.stylesheet import Stylesheet
from textual.geometry import Region, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.layouts.factory import LAYOUT_MAP
from textual.layouts.grid import GridLayout
from textual.layouts.horizontal import HorizontalLayout
from textual.layouts.vertical import VerticalLayout
from textual.widget import Widget

from kb.i18n import right_to_left

if TYPE_CHECKING:
    from textual.css.styles import RulesMap
    from textual.dom import DOMNode

    WidgetMixin = Widget
else:
    WidgetMixin = object  # Textual looks for inherited styles along the first base that is a widget

_OTHER = {"left": "right", "right": "left", "start": "right"}
_PAIRS = (("border_left", "border_right"), ("outline_left", "outline_right"))
_DEFAULTS = {
    "text_align": "start",
    "content_align_horizontal": "left",
    "border_title_align": "left",
    "border_subtitle_align": "right",
}
_BAR = 1


class MirroringStylesheet(Stylesheet):
    """Applies styles, mirrored if the interface runs right to left."""

    @classmethod
    def replace_rules(cls, node: DOMNode, rules: RulesMap, animate: bool = False) -> None:
        """Set the rules of a widget."""
        if right_to_left() and not isinstance(node, LeftToRight):
            barred = isinstance(node, BarAtEdge)
            rules = cast("RulesMap", mirrored(cast("Mapping[str, Any]", rules), barred=barred))
        super().replace_rules(node, rules, animate)


class LeftToRight(WidgetMixin):
    """A widget that is left-to-right in every language: code and its line numbers."""


class BarAtEdge(WidgetMixin):
    """A widget whose vertical scrollbar is at the end of its lines: at the left in Persian.

    The bar takes a column of padding there, since Textual reserves space only at the right.
    """

    def _arrange_scrollbars(self, region: Region) -> Iterable[tuple[Widget, Region]]:
        yield from super()._arrange_scrollbars(region)
        if right_to_left() and self.show_vertical_scrollbar and region:
            bar = self.vertical_scrollbar
            bar.window_virtual_size, bar.window_size = self.virtual_size.height, region.height
            yield bar, Region(region.x - _BAR, region.y, _BAR, region.height)


def in_reading_order(chain: list[Widget]) -> list[Widget]:
    """Return the widgets of a screen in reading order, line by line from the right."""

    def place(node: Widget) -> tuple[int, int]:
        x, y, width, _height = node.virtual_region
        return y - node.styles.margin.top, -(x + width)

    def path(widget: Widget) -> list[tuple[int, int]]:
        within = [node for node in widget.ancestors_with_self if isinstance(node, Widget)]
        return [place(node) for node in reversed(within)]

    return sorted(chain, key=path) if right_to_left() else chain


def mirrored(rules: Mapping[str, Any], *, barred: bool = False) -> dict[str, Any]:
    """Return rules with left and right swapped; ``barred`` reserves space for a bar at the left.

    >>> mirrored({"padding": Spacing(0, 1, 0, 3)})["padding"]
    Spacing(top=0, right=3, bottom=0, left=1)
    """
    turned = dict(rules)
    for one, other in _PAIRS:
        turned[one], turned[other] = rules.get(other), rules.get(one)
    for name, default in _DEFAULTS.items():
        turned[name] = _other(rules.get(name) or default)
    if "dock" in rules:
        turned["dock"] = _other(rules["dock"])
    layout = _LAYOUTS.get(type(rules.get("layout")))
    if layout is not None and rules.get("overflow_x") not in ("auto", "scroll"):
        turned["layout"] = layout()
        turned["align_horizontal"] = _other(rules.get("align_horizontal") or "left")
    elif "layout" not in rules and "align_horizontal" in rules:
        turned["align_horizontal"] = _other(rules["align_horizontal"])
    padding = _turned(rules.get("padding") or Spacing())
    if barred:
        turned |= {"scrollbar_size_vertical": 0, "scrollbar_gutter": "auto"}
        padding += Spacing(left=_BAR)
    turned["padding"] = padding
    return turned


def _from_right(layout: type[Layout]) -> type[Layout]:
    """Return a layout that places widgets like another, but from the right."""

    class FromRight(layout):  # type: ignore[misc, valid-type]
        name = f"{layout.name}-from-right"

        def arrange(self, *given: Any, **more: Any) -> ArrangeResult:
            placements = super().arrange(*given, **more)
            bounds = WidgetPlacement.get_bounds(each for each in placements if not each.overlay)
            return [each if each.overlay else _across(each, bounds) for each in placements]

    return FromRight


_LAYOUTS: Mapping[type, type[Layout]] = {
    each: _from_right(each) for each in (HorizontalLayout, VerticalLayout, GridLayout)
}
LAYOUT_MAP.update((each.name, each) for each in _LAYOUTS.values())  # Textual takes them by name


def _across(placed: WidgetPlacement, bounds: Region) -> WidgetPlacement:
    x, y, width, height = placed.region
    region = Region(bounds.x + bounds.right - x - width, y, width, height)
    return placed._replace(region=region, margin=_turned(placed.margin))


def _turned(spacing: Spacing) -> Spacing:
    top, right, bottom, left = spacing
    return Spacing(top, left, bottom, right)


def _other(side: str) -> str:
    return _OTHER.get(side, side)
