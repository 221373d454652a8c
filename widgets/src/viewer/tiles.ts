// Tiles: a cache shared by all viewers of a page, bounded in memory, and a feed that asks for what is on screen.
import { isAbort, type Link, Refused } from "../link.ts";
import type { Level, Sheet } from "./sheet.ts";

export interface Closing {
  width: number;
  height: number;
  close(): void;
}

/** A tile's place: level, column, row. */
export type Spot = readonly [level: number, column: number, row: number];

export interface Tile<I extends Closing = ImageBitmap> {
  image: I;
  /** Whether something may be seen through it. */
  clear: boolean;
}

const LIMIT = 192_000_000;
const BATCH = 12;
const ASKS = 2;
const LINGER = 2_000;

export function tileId(key: string, [level, column, row]: Spot): string {
  return `${key}/${level}/${column},${row}`;
}

/** Decoded pictures by name; the longest unused ones are closed when they are too many. */
export class TileStore<I extends Closing = ImageBitmap> {
  #tiles = new Map<string, Tile<I>>();
  #bytes = 0;
  readonly #limit: number;

  constructor(limit: number = LIMIT) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#tiles.size;
  }

  has(id: string): boolean {
    return this.#tiles.has(id);
  }

  get(id: string): Tile<I> | undefined {
    const found = this.#tiles.get(id);
    if (found !== undefined) {
      this.#tiles.delete(id);
      this.#tiles.set(id, found);
    }
    return found;
  }

  put(id: string, tile: Tile<I>): void {
    this.#drop(id);
    this.#tiles.set(id, tile);
    this.#bytes += weight(tile.image);
    for (const oldest of this.#tiles.keys()) {
      if (this.#bytes <= this.#limit || oldest === id) break;
      this.#drop(oldest);
    }
  }

  /** Close all of them. */
  clear(): void {
    for (const id of [...this.#tiles.keys()]) this.#drop(id);
  }

  #drop(id: string): void {
    const found = this.#tiles.get(id);
    if (found === undefined) return;
    this.#tiles.delete(id);
    this.#bytes -= weight(found.image);
    found.image.close();
  }
}

function weight(image: Closing): number {
  return image.width * image.height * 4;
}

const page = globalThis as unknown as { __lanternTiles?: TileStore };

/** The store of this browser page. */
export function tileStore(): TileStore {
  page.__lanternTiles ??= new TileStore();
  return page.__lanternTiles;
}

let users = 0;
let idle: ReturnType<typeof setTimeout> | undefined;

/** Somebody draws from the store; gives the way to say that they are done. When nobody is left, it is emptied. */
export function holdTiles(): () => void {
  users++;
  clearTimeout(idle);
  let done = false;
  return () => {
    if (done) return;
    done = true;
    users--;
    clearTimeout(idle);
    // a moment later: one view often makes room for another
    if (users === 0) idle = setTimeout(() => tileStore().clear(), LINGER);
  };
}

/** Decode encoded pictures into the store, in order. A picture that cannot be read rejects. */
export async function keep(key: string, spots: readonly Spot[], buffers: readonly ArrayBuffer[]): Promise<void> {
  await Promise.all(
    spots.map(async (spot, at) => {
      const bytes = buffers[at];
      if (bytes === undefined || tileStore().has(tileId(key, spot))) return;
      const image = await createImageBitmap(new Blob([bytes]));
      tileStore().put(tileId(key, spot), { image, clear: new Uint8Array(bytes)[0] !== 0xff });
    }),
  );
}

/** Which level has enough pixels for a scale in device pixels of a millimetre; a little too few are enough. */
export function levelFor(levels: readonly Level[], scale: number): number {
  const found = levels.findIndex((level) => level.scale >= scale / 1.15);
  return found === -1 ? levels.length - 1 : found;
}

/** The tiles of a level that meet a rectangle in pixels of that level, the nearest to its middle first. */
export function spotsWithin(
  sheet: Sheet,
  level: number,
  [x, y, width, height]: readonly [number, number, number, number],
): Spot[] {
  const grid = sheet.levels[level];
  if (grid === undefined) return [];
  const first = (start: number) => Math.max(0, Math.floor(start / sheet.tile));
  const last = (end: number, edge: number) => Math.min(Math.ceil(end / sheet.tile), Math.ceil(edge / sheet.tile)) - 1;
  const spots: Spot[] = [];
  for (let row = first(y); row <= last(y + height, grid.height); row++) {
    for (let column = first(x); column <= last(x + width, grid.width); column++) spots.push([level, column, row]);
  }
  const away = ([, column, row]: Spot) =>
    Math.hypot((column + 0.5) * sheet.tile - x - width / 2, (row + 0.5) * sheet.tile - y - height / 2);
  return spots.sort((one, other) => away(one) - away(other));
}

interface Heard {
  /** Tiles came. */
  arrived(): void;
  /** The kernel refused, or a picture could not be read: see `error`. */
  failed(): void;
  /** The source shows something else by now: the sheet must be asked for again. */
  stale(key: string): void;
}

/** Asks for the tiles of one sheet: few at a time, the most wanted first, and gives up what nobody wants any more. */
export class TileFeed {
  readonly sheet: Sheet;
  #link: Link;
  #heard: Heard;
  #wanted: Spot[] = [];
  #open = new Map<AbortController, Set<string>>();
  #failed = new Set<string>();
  #error: unknown;
  #closed = false;

  constructor(link: Link, sheet: Sheet, heard: Heard) {
    this.#link = link;
    this.sheet = sheet;
    this.#heard = heard;
  }

  /** What is on screen and not there yet, the most wanted first. */
  want(spots: readonly Spot[]): void {
    this.#wanted = spots.filter((spot) => !tileStore().has(tileId(this.sheet.key, spot)));
    const names = new Set(this.#wanted.map((spot) => tileId(this.sheet.key, spot)));
    for (const [controller, asked] of this.#open) {
      if ([...asked].every((id) => !names.has(id))) controller.abort();
    }
    this.#pump();
  }

  /** Whether some tiles were refused. */
  get broken(): boolean {
    return this.#failed.size > 0;
  }

  /** Why the last ones were refused; nothing when only nobody is there. */
  get error(): unknown {
    return this.#error;
  }

  /** Ask again for what was refused. */
  retry(): void {
    this.#failed.clear();
    this.#error = undefined;
    this.#pump();
  }

  close(): void {
    this.#closed = true;
    this.#wanted = [];
    for (const controller of this.#open.keys()) controller.abort();
  }

  #pump(): void {
    while (!this.#closed && this.#open.size < ASKS) {
      const asked = [...this.#open.values()];
      const free = this.#wanted.filter((spot) => {
        const id = tileId(this.sheet.key, spot);
        return !this.#failed.has(id) && !asked.some((ids) => ids.has(id)) && !tileStore().has(id);
      });
      const level = free[0]?.[0];
      if (level === undefined) return;
      void this.#ask(level, free.filter((spot) => spot[0] === level).slice(0, BATCH));
    }
  }

  async #ask(level: number, spots: Spot[]): Promise<void> {
    const { key, source, unit } = this.sheet;
    const controller = new AbortController();
    const ids = new Set(spots.map((spot) => tileId(key, spot)));
    this.#open.set(controller, ids);
    try {
      const tiles = spots.map(([, column, row]) => [column, row]);
      const { data, buffers } = await this.#link.ask<{ key: string }>(
        "tiles",
        { source, unit, level, tiles },
        { signal: controller.signal },
      );
      await keep(data.key, spots, buffers);
      if (this.#closed) return;
      if (data.key !== key) {
        for (const id of ids) this.#failed.add(id);
        this.#heard.stale(data.key);
      }
      this.#heard.arrived();
    } catch (error) {
      if (isAbort(error) || this.#closed) return;
      for (const id of ids) this.#failed.add(id);
      if (!isAbsence(error)) this.#error = error;
      this.#heard.failed();
    } finally {
      this.#open.delete(controller);
      this.#pump();
    }
  }
}

/** Whether an error only says that nobody is there: the badge says so already. */
export function isAbsence(error: unknown): boolean {
  return error instanceof Refused && error.refusal.code === "disconnected";
}
