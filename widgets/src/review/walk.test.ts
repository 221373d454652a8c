import assert from "node:assert/strict";
import { test } from "node:test";
import { sheet, thing } from "../viewer/sample.ts";
import { marksOfRegions, namesOf, type Region, type Regions, Walk, wholly } from "./walk.ts";

function region(n: number, objects: string[] = []): Region {
  return { n, box: [n * 10, 20, 30, 40], share: 0.1, objects };
}

function regions(count: number): Regions {
  return { regions: Array.from({ length: count }, (_, at) => region(at + 1)), more: 0, changed: 0.1 };
}

/** A book of pages with so many regions each, as the review shows it. */
function book(...counts: number[]) {
  const at = { page: 0 };
  const walk = new Walk((by) => {
    const next = at.page + by;
    if (next < 0 || next >= counts.length) return false;
    at.page = next;
    walk.forget();
    return true;
  });
  const settle = () => {
    let before = -1;
    while (before !== at.page) {
      before = at.page;
      walk.come(regions(counts[at.page] ?? 0));
    }
  };
  return { at, walk, settle, here: () => [at.page, walk.at.value] };
}

test("the first step marks the regions and goes to the first as soon as they are known", () => {
  const { walk, settle, here } = book(3);
  assert.equal(walk.shown.value, false);
  walk.leap(1);
  assert.equal(walk.shown.value, true);
  assert.deepEqual(here(), [0, 0]);
  settle();
  assert.deepEqual(here(), [0, 1]);
  walk.leap(1);
  assert.deepEqual(here(), [0, 2]);
  walk.leap(-1);
  assert.deepEqual(here(), [0, 1]);
});

test("after the last region comes the next page, past those that are drawn alike, and back", () => {
  const { walk, settle, here } = book(2, 0, 3);
  walk.leap(1);
  settle();
  walk.leap(1);
  walk.leap(1);
  settle();
  assert.deepEqual(here(), [2, 1]);
  walk.leap(-1);
  settle();
  assert.deepEqual(here(), [0, 2]);
});

test("one stays at the last region where there is no further page", () => {
  const { walk, settle, here } = book(1);
  walk.leap(1);
  settle();
  walk.leap(1);
  assert.deepEqual(here(), [0, 1]);
  walk.leap(-1);
  assert.deepEqual(here(), [0, 1]);
});

test("marks that are taken away are forgotten, and what comes late is not shown", () => {
  const { walk, settle, here } = book(2);
  walk.show(true);
  settle();
  assert.equal(walk.found.value?.regions.length, 2);
  assert.deepEqual(here(), [0, 0]);
  walk.show(false);
  settle();
  assert.equal(walk.found.value, undefined);
});

test("regions are boxes on both sides, the one that one is at in another tone", () => {
  const gone: number[] = [];
  const label = ({ n }: Region) => `region ${n}`;
  const marks = marksOfRegions([region(1), region(2)], 2, label, (n) => gone.push(n), true);
  assert.deepEqual(
    marks.map((mark) => [mark.id, mark.text, mark.tone, mark.on, mark.label]),
    [
      ["region/1", "1", "change", "both", "region 1"],
      ["region/2", "2", "note", "both", "region 2"],
    ],
  );
  assert.deepEqual(marks[0]?.outline, [
    [10, 20],
    [40, 20],
    [40, 60],
    [10, 60],
  ]);
  marks[0]?.onClick?.();
  assert.deepEqual(gone, [1]);
  assert.equal(marksOfRegions([region(1)], 0, label, () => {}, false)[0]?.on, undefined);
});

test("a region is told by what changed in it, on whichever side that is", () => {
  const before = sheet([thing("bl_1", "balloon", [0, 0, 1, 1])]);
  const after = sheet([thing("bl_2", "balloon", [0, 0, 1, 1])]);
  assert.equal(namesOf(region(1, ["bl_2", "bl_1", "bl_9"]), [after, before]), "bl_2, bl_1");
  assert.equal(namesOf(region(1), [after, null]), "");
});

test("of a page that is only on one side all is one region", () => {
  assert.deepEqual(wholly(sheet()).regions[0]?.box, [0, 0, 100, 150]);
});
