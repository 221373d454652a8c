import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOf, pathOf, type Scale, shapeOf, touching, widthOf, xOf, yOf } from "./geometry.ts";
import type { Edge } from "./shapes.ts";

const scale: Scale = { height: 30, left: 2, right: 4 };

/** Points that a path goes through, in order: where it is after each command. */
function points(path: string): [number, number][] {
  const found: [number, number][] = [];
  for (const [, command, numbers] of path.matchAll(/([MCV])([^MCV]*)/g)) {
    const values = (numbers ?? "").trim().split(/[ ,]+/).map(Number);
    const last = found.at(-1);
    if (command === "V") found.push([last?.[0] ?? Number.NaN, values[0] ?? Number.NaN]);
    else found.push(values.slice(-2) as [number, number]);
  }
  return found;
}

function* edges(): Generator<Edge> {
  for (const lane of [-2, -1, 0, 1, 3, 4, 9]) {
    for (const topLane of [0, lane, 2]) {
      for (const bottomLane of [0, lane, 2]) {
        for (const span of [1, 2, 3, 8, 401]) yield ["branch", lane, 7, 7 + span, topLane, bottomLane, 0, "d1"];
      }
    }
  }
}

test("every path begins where its edge begins and ends where it ends", () => {
  for (const edge of edges()) {
    const [, , top, bottom, topLane, bottomLane] = edge;
    const found = points(pathOf(edge, 3, scale));
    assert.deepEqual(found[0], [xOf(topLane, scale), yOf(top, 3, scale)], String(edge));
    assert.deepEqual(found.at(-1), [xOf(bottomLane, scale), yOf(bottom, 3, scale)], String(edge));
  }
});

test("no path turns back up, and between its bends it keeps to its lane", () => {
  for (const edge of edges()) {
    const [, lane, top, bottom] = edge;
    const found = points(pathOf(edge, 0, scale));
    for (const [at, [, y]] of found.entries()) assert.ok(y >= (found[at - 1]?.[1] ?? y), String(edge));
    if (bottom - top < 3) continue;
    const inner = found.filter(([, y]) => y > yOf(top, 0, scale) && y < yOf(bottom, 0, scale));
    for (const [x] of inner) assert.equal(x, xOf(lane, scale), String(edge));
  }
});

test("a path is the same in whichever part of the list it is drawn", () => {
  for (const edge of edges()) {
    const shifted = points(pathOf(edge, 20, scale)).map(([x, y]) => [x, y + 20 * scale.height]);
    assert.deepEqual(shifted, points(pathOf(edge, 0, scale)));
  }
});

test("lanes stand apart, and those beyond the last lie on it inside the graph", () => {
  const places = [-2, -1, 0, 1, 2, 3, 4].map((lane) => xOf(lane, scale));
  assert.equal(new Set(places).size, places.length);
  assert.equal(xOf(40, scale), xOf(4, scale));
  for (const x of places) assert.ok(x > 0 && x < widthOf(scale));
});

test("a part of the list draws what touches it, and nothing else", () => {
  const some: Edge[] = [
    ["trunk", 0, 0, 2, 0, 0, 0, ""],
    ["trunk", 0, 18, 20, 0, 0, 0, ""],
    ["trunk", 0, 0, 400, 0, 0, 0, ""],
    ["fork", 1, 40, 41, 1, 0, 0, "d1"],
  ];
  const has = (first: number, count: number) => touching(some, first, count).map(([, , top, bottom]) => [top, bottom]);
  assert.deepEqual(has(0, 10), [
    [0, 2],
    [18, 20],
    [0, 400],
  ]);
  assert.deepEqual(has(10, 10), [
    [18, 20],
    [0, 400],
  ]);
  assert.deepEqual(has(20, 10), [
    [0, 400],
    [40, 41],
  ]);
});

test("neighbouring lanes never have one colour", () => {
  for (let lane = 0; lane < 40; lane++) assert.notEqual(colourOf(lane), colourOf(lane + 1));
});

test("what a node is shows in its shape", () => {
  const row = { kind: "person" as const, cause: "edit" };
  assert.equal(shapeOf(row, false), "person");
  assert.equal(shapeOf(row, true), "damage");
  assert.equal(shapeOf({ ...row, damage: "missing" }, false), "damage");
  assert.equal(shapeOf({ ...row, kind: "agent" }, false), "agent");
  assert.equal(shapeOf({ ...row, cause: "apply" }, false), "merge");
  assert.equal(shapeOf({ ...row, cause: "restore" }, false), "back");
  const run = { first: "r1", count: 5, oldest: "r1", before: null, from: 0 };
  assert.equal(shapeOf({ kind: "agent", cause: "changeset", run }, false), "run");
  assert.equal(shapeOf({ kind: "agent", cause: "changeset", run: { ...run, count: 1 } }, false), "agent");
});
