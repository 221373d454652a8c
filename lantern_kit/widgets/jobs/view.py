"""How a job shows itself in a notebook: live while its kernel lives, and as it ended for good."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lantern_kit.widgets.asks import Ask, answers
from lantern_kit.widgets.panel import Window

if TYPE_CHECKING:
    from lantern_kit.widgets.jobs.job import Job

_NOTE = (
    "As it was when this was shown; running the cell starts it again. 这是显示时的状态，重新运行此单元格会再次开始。"
)


def _nothing() -> None:
    pass


class JobView(Window):
    """A job while it runs: how far it is, what came of it, and a way to stop it.

    Args:
        job: what ``lk.start`` gave.
        language: ``en`` or ``zh``; "" takes the language of the notebook's page.
    """

    kind = "job"

    def __init__(self, job: Job[Any], *, language: str = "") -> None:
        self.job = job
        self._static: Any = None
        self._forget: Callable[[], None] = _nothing  # the job may end before there is anything to forget
        super().__init__(language=language)
        self._forget = job.listen(self._moved)
        self._moved()

    @answers("facts")
    def facts(self, _: Ask[Any]) -> dict[str, Any]:
        """Where it stands."""
        return self.job.facts()

    @answers("stop")
    def stop(self, _: Ask[Any]) -> dict[str, Any]:
        """Ask it to stop at its next step."""
        self.job.stop()
        return self.job.facts()

    def text(self) -> str:
        """Where it stands, in plain text."""
        return self.job.text()

    def picture(self) -> str:
        """Where it stands, as a bar with words."""
        return self.job.html()

    def _moved(self) -> None:
        """Called on the job's thread when it reports and when it ends."""
        running = self.job.running
        self.tell("job", self.job.facts())
        if not running:
            self._forget()
            if self._static is not None:
                self._static.update(self._still(), raw=True)

    def _still(self) -> dict[str, str]:
        note = _NOTE if self.job.running else ""
        return {"text/plain": self.text(), "text/html": self._framed(note)}

    def _ipython_display_(self, **_: Any) -> None:
        """The static form, which is put right when the job ends; then the widget, which hides it while it lives."""
        from IPython.display import DisplayHandle, display

        self._static = DisplayHandle()  # type: ignore[no-untyped-call]
        self._static.display(self._still(), raw=True)
        if not self.job.running:  # it may have ended while the line above ran
            self._static.update(self._still(), raw=True)
        display(self._repr_mimebundle_()[0], raw=True)  # type: ignore[no-untyped-call, index]

    def close(self) -> None:
        """Take it off the page; the job goes on."""
        self._forget()
        super().close()
