import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { type Link, Refused } from "../link.ts";
import { sheet } from "./sample.ts";
import { holdTiles, levelFor, type Spot, spotsWithin, TileFeed, TileStore, tileId } from "./tiles.ts";

class Picture {
  closed = false;
  constructor(
    readonly width = 100,
    readonly height = 100,
  ) {}
  close() {
    this.closed = true;
  }
}

const page = globalThis as unknown as { __lanternTiles: unknown; createImageBitmap: unknown };
beforeEach(() => {
  page.__lanternTiles = new TileStore<Picture>();
  page.createImageBitmap = async () => new Picture();
});

interface Asked {
  level: number;
  tiles: [number, number][];
  answer: (key?: string) => void;
  refuse: (error: Error) => void;
  signal: AbortSignal;
}

function kernel(): { asked: Asked[]; link: Link } {
  const asked: Asked[] = [];
  const ask = (_: string, args: Asked, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new DOMException("given up", "AbortError")));
      const buffers = args.tiles.map(() => new Uint8Array([0xff]).buffer);
      asked.push({ ...args, signal, answer: (key = "k1") => resolve({ data: { key }, buffers }), refuse: reject });
    });
  return { asked, link: { ask } as unknown as Link };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const row = (level: number, count: number): Spot[] => Array.from({ length: count }, (_, at) => [level, at, 0]);

test("the store closes what was longest unused when there is too much", () => {
  const store = new TileStore<Picture>(3 * 40_000);
  const [one, two, three, four] = [new Picture(), new Picture(), new Picture(), new Picture()];
  store.put("1", { image: one, clear: false });
  store.put("2", { image: two, clear: false });
  store.put("3", { image: three, clear: false });
  store.get("1");
  store.put("4", { image: four, clear: false });
  assert.deepEqual([one.closed, two.closed, three.closed, four.closed], [false, true, false, false]);
  assert.equal(store.bytes, 3 * 40_000);
});

test("a tile that is put again replaces the one before", () => {
  const store = new TileStore<Picture>();
  const [one, two] = [new Picture(), new Picture(50, 50)];
  store.put("1", { image: one, clear: false });
  store.put("1", { image: two, clear: false });
  assert.ok(one.closed);
  assert.equal(store.bytes, 10_000);
});

test("one tile larger than the limit is kept while it is the newest", () => {
  const store = new TileStore<Picture>(100);
  store.put("1", { image: new Picture(), clear: false });
  assert.ok(store.has("1"));
});

test("when the last view is gone the pictures are closed, but not while one makes room for another", async () => {
  const store = page.__lanternTiles as TileStore<Picture>;
  const picture = new Picture();
  store.put("1", { image: picture, clear: false });
  mock.timers.enable({ apis: ["setTimeout"] });
  const first = holdTiles();
  first();
  const second = holdTiles();
  mock.timers.tick(60_000);
  assert.ok(!picture.closed);
  second();
  second();
  mock.timers.tick(60_000);
  assert.ok(picture.closed);
  assert.equal(store.count, 0);
  mock.timers.reset();
});

test("the level is the coarsest that has the pixels, a little too few being enough", () => {
  const { levels } = sheet();
  assert.equal(levelFor(levels, 1), 0);
  assert.equal(levelFor(levels, 3.3), 0);
  assert.equal(levelFor(levels, 4), 1);
  assert.equal(levelFor(levels, 500), 3);
});

test("tiles are those that are seen, from the middle outwards, and none beside the picture", () => {
  const spots = spotsWithin(sheet(), 3, [400, 400, 900, 900]);
  assert.equal(spots.length, 9);
  assert.deepEqual(spots[0], [3, 1, 1]);
  assert.deepEqual(spotsWithin(sheet(), 0, [-500, -500, 5_000, 5_000]), [[0, 0, 0]]);
  assert.deepEqual(spotsWithin(sheet(), 0, [9_000, 0, 10, 10]), []);
});

test("tiles are asked for in batches, two at a time", async () => {
  const { asked, link } = kernel();
  const feed = new TileFeed(link, sheet(), { arrived() {}, failed() {}, stale() {} });
  feed.want(row(2, 40));
  assert.deepEqual(
    asked.map(({ tiles }) => tiles.length),
    [12, 12],
  );
  asked[0]?.answer();
  await settled();
  assert.deepEqual(
    asked.map(({ tiles }) => tiles.length),
    [12, 12, 12],
  );
  assert.deepEqual(asked[2]?.tiles[0], [24, 0]);
});

test("one batch is of one level, the coarse first", () => {
  const { asked, link } = kernel();
  new TileFeed(link, sheet(), { arrived() {}, failed() {}, stale() {} }).want([...row(0, 1), ...row(2, 3)]);
  assert.deepEqual(
    asked.map(({ level, tiles }) => [level, tiles.length]),
    [
      [0, 1],
      [2, 3],
    ],
  );
});

test("what left the screen is given up, what is still wanted is not asked twice", async () => {
  const { asked, link } = kernel();
  const feed = new TileFeed(link, sheet(), { arrived() {}, failed() {}, stale() {} });
  feed.want(row(2, 24));
  feed.want(row(2, 5));
  assert.deepEqual(
    asked.map(({ signal }) => signal.aborted),
    [false, true],
  );
  await settled();
  assert.equal(asked.length, 2);
});

test("what is refused is said, and asked again only when told to", async () => {
  const { asked, link } = kernel();
  let failures = 0;
  const feed = new TileFeed(link, sheet(), { arrived() {}, failed: () => failures++, stale() {} });
  feed.want(row(1, 2));
  asked[0]?.refuse(new Error("no"));
  await settled();
  feed.want(row(1, 2));
  assert.equal(asked.length, 1);
  assert.equal(failures, 1);
  assert.ok(feed.broken);
  assert.match(String(feed.error), /no/);
  feed.retry();
  assert.equal(feed.error, undefined);
  assert.equal(asked.length, 2);
});

test("a kernel that is gone is no fault of the picture, and its tiles are asked for again", async () => {
  const { asked, link } = kernel();
  const feed = new TileFeed(link, sheet(), { arrived() {}, failed() {}, stale() {} });
  feed.want(row(1, 2));
  asked[0]?.refuse(new Refused({ code: "disconnected", message: "gone" }));
  await settled();
  assert.ok(feed.broken);
  assert.equal(feed.error, undefined);
  feed.retry();
  assert.equal(asked.length, 2);
});

test("tiles of newer content are kept under its own key, and the sheet is known to be stale", async () => {
  const { asked, link } = kernel();
  const stale: string[] = [];
  const feed = new TileFeed(link, sheet(), { arrived() {}, failed() {}, stale: (key) => stale.push(key) });
  feed.want(row(1, 2));
  asked[0]?.answer("k2");
  await settled();
  const store = page.__lanternTiles as TileStore<Picture>;
  assert.deepEqual(stale, ["k2"]);
  assert.ok(store.has(tileId("k2", [1, 0, 0])) && !store.has(tileId("k1", [1, 0, 0])));
  feed.want(row(1, 2));
  assert.equal(asked.length, 1);
});

test("a closed feed asks for nothing and gives up what it asked", async () => {
  const { asked, link } = kernel();
  let failures = 0;
  const feed = new TileFeed(link, sheet(), { arrived() {}, failed: () => failures++, stale() {} });
  feed.want(row(1, 30));
  feed.close();
  await settled();
  assert.equal(asked.length, 2);
  assert.ok(asked.every(({ signal }) => signal.aborted));
  assert.equal(failures, 0);
});
