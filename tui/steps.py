"""What the arrow keys ask for, as steps."""

from __future__ import annotations


class Steps:
    """Does what the arrow keys ask for by steps: 1 down or to the right, -1 up or to the left."""

    def step_down(self, step: int) -> None:
        """Go a line, a row or a value down or up."""

    def step_right(self, step: int) -> None:
        """Go to the right or to the left, as one sees it."""

    def action_down(self) -> None:
        """Go down."""
        self.step_down(1)

    def action_up(self) -> None:
        """Go up."""
        self.step_down(-1)

    def action_right(self) -> None:
        """Go to the right."""
        self.step_right(1)

    def action_left(self) -> None:
        """Go to the left."""
        self.step_right(-1)
