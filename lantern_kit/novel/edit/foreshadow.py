"""Foreshadows as plans send them (seed 004, 6.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.novel.edit.overlay import filled, own_id, ref
from lantern_kit.novel.model import Foreshadow, ForeshadowState
from lantern_kit.novel.plan import Plan
from lantern_kit.novel.whole import Novel, changed

_FORESHADOW = {"what": "", "plant": None, "resolve": None, "required": False}


def foreshadows(novel: Novel, plan: Plan, names: Mapping[str, str]) -> Novel:
    """The novel with a plan's foreshadows laid over its own; commits alone move them. Raises BadInput, NotFound."""
    held = dict(novel.foreshadows)
    for item in plan.foreshadows:
        name = own_id(item, names)
        old = novel.foreshadows.get(name)
        if item.id is not None and old is None:
            raise NotFound(f"{name[:60]} is no foreshadow of this novel", ids=[name[:60]], expected=list(held)[:20])
        fields = filled(old, item, _FORESHADOW, ("what",), "foreshadow")
        for field in ("plant", "resolve"):
            if getattr(item, field):
                fields[field] = ref(fields[field], names, novel.chapters, "chapter")
        if old is None:
            held[name] = Foreshadow(id=name, **fields, state=ForeshadowState.PLANNED, planted=None, resolved=None)
            continue
        if old.required and old.state is ForeshadowState.PLANTED and not fields["required"]:
            raise _kept(old)
        made = changed(old, **fields)
        if made == old:
            continue
        if old.state in {ForeshadowState.RESOLVED, ForeshadowState.DROPPED}:
            raise BadInput(f"“{old.what[:60]}” is {old.state.value}", ids=[name], recovery="Plan another one.")
        held[name] = made
    for name in dict.fromkeys(plan.dropped_foreshadows):
        if name not in held:
            raise NotFound(f"{name[:60]} is no foreshadow of this novel", ids=[name[:60]], expected=list(held)[:20])
        known = held[name]
        if known.state is ForeshadowState.RESOLVED or (known.required and known.state is ForeshadowState.PLANTED):
            raise _kept(known)
        held[name] = changed(known, state=ForeshadowState.DROPPED)
    for name, known in held.items():
        gone = [at for at in (known.plant, known.resolve) if at is not None and at not in novel.chapters]
        if gone and known.state in {ForeshadowState.PLANNED, ForeshadowState.PLANTED}:
            raise BadInput(
                f"“{known.what[:60]}” is planned for a chapter that is dropped",
                ids=[name, *gone],
                recovery="Plan it for another chapter, or drop it too.",
            )
    return novel if held == novel.foreshadows else replace(novel, foreshadows=held)


def _kept(held: Foreshadow) -> BadInput:
    return BadInput(
        f"“{held.what[:60]}” is planted and must be taken up, or was",
        expected="it stays, and required",
        ids=[held.id],
        recovery="Plan the chapter that takes it up.",
    )
