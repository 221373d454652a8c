from __future__ import annotations

from pathlib import Path

from lantern_kit.novel.host import Guarantee
from lantern_kit.novel.offline import OfflineAuthor
from tests.novel.capabilities.conftest import Place


def test_what_a_host_over_mcp_guarantees_is_told_row_by_row_and_so_is_what_it_does_not(tmp_path: Path) -> None:
    place = Place(tmp_path / "ws")
    told = place.ws.novel(place.id).capabilities()
    assert told.writes
    assert [item.value for item in Guarantee if not told.ok(item)] == ["cancel", "message-source", "usage"]
    assert not told.report.counts_tokens
    assert "nothing said there is an instruction" in repr(told)
    core = {line.split()[1] for line in repr(told).splitlines()[1:] if line.split()[2] == "core"}
    assert core == {"followup", "instruction-barrier", "permissions", "persistence"}
    assert {name for name, row in told.report.facts()["guarantees"].items() if row["core"]} == core
    assert "<table" in told._repr_mimebundle_()["text/html"]
    place.ws.close()


def test_a_stand_in_is_labelled_where_its_guarantees_are_shown(tmp_path: Path) -> None:
    place = Place(tmp_path / "ws")
    told = place.ws.novel(place.id).capabilities(OfflineAuthor(1))
    assert "stand-in" in repr(told).splitlines()[0]
    assert all(told.report.row(item).reason for item in Guarantee)
    place.ws.close()
