from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.kernel.canonical import digest
from lantern_kit.kernel.documents import (
    CHUNK_CAP,
    Documents,
    Leaf,
    Pending,
    Root,
    build,
    inner_body,
    leaf_body,
    pack,
    parse_node,
    unpack,
)
from lantern_kit.kernel.errors import Corrupt
from lantern_kit.kernel.ids import SeededIds
from tests.kernel.shelf import Shelf, book, open_shelf, page, undone

NAMES = st.integers(0, 500).map(lambda number: f"un_{number:08d}")
HASHES = st.integers(0, 255).map(lambda number: digest(bytes([number])))
ITEMS = st.dictionaries(NAMES, HASHES, min_size=1, max_size=300).map(lambda found: list(found.items()))
Items = list[tuple[str, bytes]]


def many(count: int, seed: int = 1) -> Items:
    ids = SeededIds(seed)
    names = dict.fromkeys(ids.new("un") for _ in range(count))
    return [(name, digest(name.encode())) for name in names]


def shape(pending: Pending, tree: bytes) -> list[list[int]]:
    """Sizes of chunks, level by level from the top."""
    levels = []
    names = [tree]
    while names:
        nodes = [parse_node(pending.bodies[name]) for name in names]
        levels.append([len(node.ids if isinstance(node, Leaf) else node) for node in nodes])
        names = [child for node in nodes if not isinstance(node, Leaf) for child in node]
    return levels


@given(ITEMS)
def test_the_items_of_a_tree_are_those_it_was_built_from(items: Items) -> None:
    pending = Pending()
    tree = build(items, pending)
    assert Documents().items(pending.bodies.__getitem__, tree) == items


@given(ITEMS, st.data())
def test_replacing_items_gives_the_tree_that_building_anew_gives(items: Items, data: st.DataObject) -> None:
    pending = Pending()
    tree = build(items, pending)
    assert tree is not None
    new = data.draw(st.dictionaries(st.sampled_from([name for name, _ in items]), HASHES, max_size=5))
    documents = Documents()
    replaced = documents.replace(pending.bodies.__getitem__, tree, new, pending)
    wanted = [(name, new.get(name, old)) for name, old in items]
    assert replaced == build(wanted, Pending())
    assert documents.items(pending.bodies.__getitem__, replaced) == wanted


@given(ITEMS, st.integers(1, 299))
def test_adding_at_the_end_gives_the_tree_that_building_anew_gives(items: Items, first: int) -> None:
    pending = Pending()
    documents = Documents()
    tree = build(items[:first], pending)
    assert tree is not None
    for item in items[first:]:
        tree = documents.append(pending.bodies.__getitem__, tree, [item], pending)
    assert tree == build(items, Pending())


def test_adding_one_of_thousands_writes_one_path() -> None:
    items, pending = many(5_000), Pending()
    tree = build(items[:-40], pending)
    assert tree is not None
    documents, fresh = Documents(), Pending()
    added = documents.append(pending.bodies.__getitem__, tree, items[-40:], fresh)
    assert added == build(items, Pending())
    assert len(fresh.bodies) < 10


@given(ITEMS, st.data())
def test_a_tree_depends_on_its_content_and_not_on_how_it_came_to_be(items: Items, data: st.DataObject) -> None:
    pending = Pending()
    documents = Documents()
    now = list(items)
    tree = build(now, pending)
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(now) - 1))
        act = data.draw(st.sampled_from(["replace", "insert", "remove", "move"]))
        name, old = now[place]
        if act == "replace":
            assert tree is not None
            fresh = data.draw(HASHES)
            tree = documents.replace(pending.bodies.__getitem__, tree, {name: fresh}, pending)
            now[place] = (name, fresh)
            continue
        if act == "insert":
            now.insert(place, (f"un_{1_000 + len(pending.bodies):08d}", old))
        elif act == "remove" and len(now) > 1:
            del now[place]
        else:
            now.insert(data.draw(st.integers(0, len(now) - 1)), now.pop(place))
        tree = build(now, pending)
    assert tree == build(list(now), Pending())


@given(ITEMS)
def test_other_items_or_another_order_give_another_tree(items: Items) -> None:
    tree = build(items, Pending())
    assert build([*items, ("un_99999999", digest(b""))], Pending()) != tree
    if len(items) > 1:
        assert build(items[::-1], Pending()) != tree


def test_no_items_make_no_tree() -> None:
    assert build([], Pending()) is None
    assert Documents().items({}.__getitem__, None) == []


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 1_000, 20_000])
def test_chunks_are_neither_long_nor_many(count: int) -> None:
    pending = Pending()
    items = many(count)
    tree = build(items, pending)
    assert tree is not None
    levels = shape(pending, tree)
    assert sum(levels[-1]) == len(items)
    assert all(size <= CHUNK_CAP for level in levels for size in level)
    assert all(size >= 2 for level in levels[:-1] for size in level[:-1]), "an inner chunk must lessen what is above it"
    assert len(levels) <= 4
    if count >= 1_000:
        assert len(items) / len(levels[-1]) > 16


def test_items_with_ids_that_never_end_a_chunk_are_cut_at_the_cap() -> None:
    stubborn = [name for name in (f"un_{number:08d}" for number in range(20_000)) if digest(name.encode())[-1] & 31]
    pending = Pending()
    tree = build([(name, bytes(32)) for name in stubborn], pending)
    assert tree is not None
    assert set(shape(pending, tree)[-1][:-1]) == {CHUNK_CAP}


@pytest.mark.parametrize("count", [10, 100, 1_000, 20_000])
def test_an_edit_writes_only_the_chunks_on_the_way_to_the_item(count: int) -> None:
    pending = Pending()
    items = many(count)
    tree = build(items, pending)
    assert tree is not None
    depth = len(shape(pending, tree))
    for name, _ in Random(3).sample(items, 10):
        fresh = Pending()
        made = Documents().replace(pending.bodies.__getitem__, tree, {name: digest(b"new")}, fresh)
        assert made != tree
        assert len(fresh.bodies) == depth
        assert not fresh.bodies.keys() & pending.bodies.keys()
        assert sum(len(body) for body in fresh.bodies.values()) < depth * CHUNK_CAP * 48


@pytest.mark.parametrize("count", [100, 1_000, 20_000])
def test_adding_taking_or_moving_an_item_shares_nearly_all_chunks(count: int) -> None:
    items = many(count)
    pending = Pending()
    build(items, pending)
    for place in Random(5).sample(range(count), 10):
        moved = items[:place] + items[place + 1 :]
        for other in (moved, [*items[:place], ("un_zzzzzzzz", bytes(32)), *items[place:]], [*moved, items[place]]):
            fresh = Pending()
            build(other, fresh)
            assert len(fresh.bodies.keys() - pending.bodies.keys()) <= 12


def test_replacing_by_the_same_or_what_is_not_there_writes_nothing() -> None:
    pending = Pending()
    items = many(200)
    tree = build(items, pending)
    assert tree is not None
    fresh = Pending()
    for same in ({}, {"un_absent00": bytes(32)}):
        assert Documents().replace(pending.bodies.__getitem__, tree, same, fresh) == tree
    assert not fresh.bodies
    assert Documents().replace(pending.bodies.__getitem__, tree, dict([items[7]]), fresh) == tree


# chunks and bodies


@given(ITEMS)
def test_chunks_are_read_as_they_were_written(items: Items) -> None:
    ids, hashes = zip(*items, strict=True)
    assert parse_node(leaf_body(ids, hashes)) == Leaf(ids, hashes)
    assert parse_node(inner_body(hashes)) == hashes


@given(ITEMS, st.data())
def test_a_chunk_that_was_cut_is_refused_or_says_something_else(items: Items, data: st.DataObject) -> None:
    ids, hashes = zip(*items, strict=True)
    for body in (leaf_body(ids, hashes), inner_body(hashes)):
        cut = body[: data.draw(st.integers(0, len(body) - 1))]
        try:
            assert parse_node(cut) != parse_node(body)
        except Corrupt:
            continue


@given(st.binary(max_size=400) | st.binary(max_size=20).map(lambda part: part * 50))
def test_bodies_come_back_from_how_they_are_stored(body: bytes) -> None:
    codec, crc, stored = pack(body)
    assert len(stored) <= len(body)
    assert unpack(digest(body), codec, crc, stored) == body


@given(st.binary(min_size=1, max_size=60) | st.just(b"words " * 40), st.data())
def test_a_changed_byte_of_a_stored_body_is_corrupt(body: bytes, data: st.DataObject) -> None:
    codec, crc, stored = pack(body)
    place = data.draw(st.integers(0, len(stored) - 1))
    other = bytearray(stored)
    other[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(Corrupt):
        unpack(digest(body), codec, crc, bytes(other))
    for damaged in ((1 - codec, crc, stored), (7, crc, stored), (codec, crc ^ 1, stored), (codec, crc, None)):
        with pytest.raises(Corrupt):
            unpack(digest(body), *damaged)


def test_a_root_is_read_as_it_was_written_and_a_stranger_is_corrupt() -> None:
    for root in (Root("book", {"title": "Tides", "n": [1, None]}, digest(b"x"), 7), Root("novel", {}, None, 0)):
        assert Root.parse(root.body()) == root
    for stranger in (b"[]", b"{}", b"3", b'{"count":0,"head":{},"kind":"k","tree":"xy"}', b"\xff"):
        with pytest.raises(Corrupt):
            Root.parse(stranger)


# in the journal


def test_a_document_read_by_another_process_is_the_one_that_was_written(shelf: Shelf, tmp_path: Path) -> None:
    pages = book(150)
    revision = shelf.create(pages=pages)
    other = open_shelf(tmp_path)
    assert other.pages(revision) == pages
    other.journal.close()


def test_a_page_that_is_written_twice_is_stored_once(shelf: Shelf) -> None:
    first = shelf.create("a", book(40))
    with shelf.journal.read() as connection:
        stored = connection.exec_driver_sql("SELECT count(*) FROM documents").scalar_one()
    assert shelf.create("b", book(40)).document == first.document
    with shelf.journal.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM documents").scalar_one() == stored


def test_an_edit_stores_the_page_the_chunks_above_it_and_a_root(shelf: Shelf) -> None:
    revision = shelf.create(pages=book(1_000))
    with shelf.journal.write() as connection:
        before = connection.exec_driver_sql("SELECT count(*) FROM documents").scalar_one()
        document, pending = shelf.rewrite(connection, revision.document, {"un_0500": page(500, "Twice.")})
        after = connection.exec_driver_sql("SELECT count(*) FROM documents").scalar_one()
    assert after - before == len(pending.bodies) <= 5
    with shelf.journal.read() as connection:
        assert shelf.read(connection, document)["un_0500"] == page(500, "Twice.")


def test_a_document_that_is_missing_is_corrupt_and_named(shelf: Shelf) -> None:
    with shelf.journal.read() as connection, pytest.raises(Corrupt) as caught:
        shelf.documents.get(connection, digest(b"never written"))
    assert caught.value.ids == (digest(b"never written").hex(),)


def test_what_a_rolled_back_edit_made_is_written_by_the_next_one(shelf: Shelf) -> None:
    revision = shelf.create(pages=book(100))
    new = {"un_0007": page(7, "Twice.")}
    with undone(shelf.journal) as connection:
        shelf.rewrite(connection, revision.document, new)
    made = shelf.edit("ch", revision.number, new)
    other = open_shelf(shelf.folder)
    assert other.pages(made)["un_0007"] == new["un_0007"]
    assert other.verify().clean
    other.journal.close()


def test_the_cache_of_bodies_stays_within_its_bound(shelf: Shelf) -> None:
    shelf.create(pages={name: page(at, "Word. " * at) for at, name in enumerate(book(200))})
    documents = Documents(cache_bytes=5_000)
    with shelf.journal.read() as connection:
        for (name,) in connection.exec_driver_sql("SELECT hash FROM documents").fetchall():
            assert digest(documents.get(connection, name)) == name
            assert sum(len(body) for body in documents._bodies.values()) == documents._held <= 5_000
    assert documents._held > 2_000


def test_the_order_of_a_document_is_the_order_of_its_items(shelf: Shelf) -> None:
    pages = book(100)
    names = list(pages)
    Random(2).shuffle(names)
    revision = shelf.create(pages={name: pages[name] for name in names})
    assert list(shelf.pages(revision)) == names
    assert any(one > two for one, two in pairwise(names))
