from __future__ import annotations

import pytest

from lantern_kit import datasets
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import NotFound
from lantern_kit.workspace import Workspace
from tests.kernel.shelf import undone


def test_a_picture_whose_registration_was_rolled_back_is_not_remembered(ws: Workspace) -> None:
    offer = ws.assets.offer(datasets.open_photo("chelsea"))
    with undone(ws.journal) as connection:
        asset = ws.assets.register_offer(connection, offer, title="Chelsea", actor=Actor.person("mina"))[0].id
        assert ws.assets.get(asset, connection).title == "Chelsea"
    with pytest.raises(NotFound):
        ws.assets.get(asset)
