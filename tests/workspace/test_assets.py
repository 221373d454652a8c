from __future__ import annotations

import pytest

from lantern_kit import datasets
from lantern_kit.assets import AssetVersion
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import NotFound
from lantern_kit.workspace import Workspace, open_workspace
from tests.kernel.shelf import undone


def test_a_picture_whose_registration_was_rolled_back_is_not_remembered(ws: Workspace) -> None:
    offer = ws.assets.offer(datasets.open_photo("chelsea"))
    with undone(ws.journal) as connection:
        asset = ws.assets.register_offer(connection, offer, title="Chelsea", actor=Actor.person("mina"))[0].id
        assert ws.assets.get(asset, connection).title == "Chelsea"
    with pytest.raises(NotFound):
        ws.assets.get(asset)


def test_a_hash_that_is_no_hash_is_reported_and_stops_no_check(ws: Workspace, cat: AssetVersion) -> None:
    with ws.journal.write() as connection:
        connection.exec_driver_sql("UPDATE assets SET blob = 'x'")
    assert ("asset", cat.id) in [(problem.kind, problem.id) for problem in ws.verify().problems]


def test_pictures_whose_bytes_are_there_are_told_from_those_that_are_gone(ws: Workspace, cat: AssetVersion) -> None:
    moon = ws.assets.register(datasets.open_photo("moon"), title="Moon")
    assert ws.assets.held([cat.id, "as_nowhere", moon.id, cat.id]) == {cat.id: cat.blob, moon.id: moon.blob}
    word = moon.blob.hex()
    (ws.path / "blobs" / word[:2] / word).unlink()
    with open_workspace(ws.path) as fresh:
        assert fresh.assets.held(iter([moon.id, cat.id])) == {cat.id: cat.blob}
        assert not fresh.assets.holds(moon)


def test_a_picture_whose_row_is_damaged_is_not_there(ws: Workspace, cat: AssetVersion) -> None:
    with ws.journal.write() as connection:
        connection.exec_driver_sql("UPDATE assets SET blob = 'x'")
    with open_workspace(ws.path) as fresh:
        assert fresh.assets.held([cat.id]) == {}
