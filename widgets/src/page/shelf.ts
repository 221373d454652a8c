// What a page view knows: the book, the sheets it looked at, whether the work moved on.
import { signal as cell, type Signal } from "@preact/signals";
import { isAbort, type Link, Refused } from "../link.ts";
import type { Refusal } from "../protocol.ts";
import type { Sheet } from "../viewer/sheet.ts";
import { isAbsence, keep, levelFor, type Spot, spotsWithin, tileId, tileStore } from "../viewer/tiles.ts";
import { fit, type Size } from "../viewer/viewport.ts";
import type { Book } from "./book.ts";

interface Opened {
  book: Book;
  /** The unit that is shown: the one that was asked for, unless it is gone. */
  unit: string;
  sheet: Sheet | null;
  level: number;
  tiles: [number, number][];
  /** Why the unit cannot be shown. */
  fault?: Refusal;
}

/** How large the first picture will be, and how it lies. */
export interface Screen {
  screen: readonly [width: number, height: number];
  ratio: number;
  mode: string;
}

interface News {
  head: string;
  revision: string;
  locks: string;
  notes: string;
}

const CALM = 200;
/** Tiles that are fetched of a page nobody looks at yet. */
const AHEAD = 12;

export class Shelf {
  readonly book: Signal<Book | undefined> = cell(undefined);
  readonly sheets: Signal<ReadonlyMap<string, Sheet>> = cell(new Map());
  readonly error: Signal<unknown> = cell(undefined);
  /** Units that cannot be shown, and why. */
  readonly faults: Signal<ReadonlyMap<string, unknown>> = cell(new Map());
  /** Changes when annotations changed. */
  readonly notes: Signal<string> = cell("");
  #source: string;
  readonly #link: Link;
  readonly #leaving = new AbortController();
  #fresh = new Set<string>();
  #asked = new Map<string, Promise<void>>();
  #locks = "";
  #calm: ReturnType<typeof setTimeout> | undefined;
  #stop: () => void;

  constructor(link: Link, source: string) {
    this.#link = link;
    this.#source = source;
    this.#stop = link.on("moved", () => {
      clearTimeout(this.#calm);
      this.#calm = setTimeout(() => void this.#hear(), CALM);
    });
  }

  get source(): string {
    return this.#source;
  }

  /** Everything for a first picture in one ask. Gives the unit that is shown, or undefined when it failed. */
  async open(unit: string, screen: Screen | null, source: string = this.#source): Promise<string | undefined> {
    try {
      const { data, buffers } = await this.#link.ask<Opened>(
        "open",
        { source, unit, ...screen },
        { signal: this.#leaving.signal },
      );
      const { sheet } = data;
      if (sheet !== null) {
        const spots = data.tiles.map(([column, row]): Spot => [data.level, column, row]);
        await keep(sheet.key, spots, buffers);
      }
      this.#source = source;
      this.#fresh.clear();
      this.book.value = data.book;
      if (sheet !== null) this.#put(sheet);
      this.faults.value = new Map(data.fault && sheet === null ? [[data.unit, new Refused(data.fault)]] : []);
      this.error.value = undefined;
      return data.unit;
    } catch (error) {
      if (!isAbort(error) && !(isAbsence(error) && this.book.value)) this.error.value = error;
      return undefined;
    }
  }

  /** See to it that these sheets are there, and as they are now. */
  need(units: readonly string[]): Promise<void> {
    const known = units.filter((unit) => this.book.value?.units.some((item) => item.unit === unit));
    return Promise.all(known.map((unit) => this.#load(unit))).then(() => {});
  }

  /** Fetch what a unit will look like as a whole, before anybody turns to it. */
  async warm(unit: string, size: Size, ratio: number): Promise<void> {
    await this.need([unit]);
    const sheet = this.sheets.value.get(unit);
    if (sheet === undefined || this.#leaving.signal.aborted) return;
    const level = levelFor(sheet.levels, fit(sheet.area, size).scale * ratio);
    const grid = sheet.levels[level];
    const all = grid === undefined ? [] : spotsWithin(sheet, level, [0, 0, grid.width, grid.height]);
    const spots = all.filter((spot) => !tileStore().has(tileId(sheet.key, spot))).slice(0, AHEAD);
    if (spots.length === 0) return;
    const tiles = spots.map(([, column, row]) => [column, row]);
    try {
      const { data, buffers } = await this.#link.ask<{ key: string }>(
        "tiles",
        { source: sheet.source, unit, level, tiles },
        { signal: this.#leaving.signal },
      );
      await keep(data.key, spots, buffers);
    } catch {
      // whoever turns to it asks again, and is told
    }
  }

  /** A sheet turned out to be older than what the kernel shows. */
  outdated(unit: string): void {
    this.#fresh.delete(unit);
    void this.#hear();
    void this.need([unit]);
  }

  /** Ask again for units that could not be shown. */
  retry(): void {
    this.error.value = undefined;
    this.faults.value = new Map();
  }

  close(): void {
    this.#leaving.abort();
    clearTimeout(this.#calm);
    this.#stop();
  }

  #load(unit: string): Promise<void> {
    if (this.#fresh.has(unit) || this.faults.value.has(unit)) return Promise.resolve();
    const name = `${this.#source}/${this.book.value?.revision}/${unit}`;
    let asked = this.#asked.get(name);
    if (asked === undefined) {
      const source = this.#source;
      asked = this.#link
        .ask<Sheet & Record<string, unknown>>("sheet", { source, unit }, { signal: this.#leaving.signal })
        .then(({ data }) => {
          if (source === this.#source) this.#put(data);
        })
        .catch((error: unknown) => {
          if (!isAbort(error) && !isAbsence(error)) this.faults.value = new Map(this.faults.value).set(unit, error);
        })
        .finally(() => this.#asked.delete(name));
      this.#asked.set(name, asked);
    }
    return asked;
  }

  #put(sheet: Sheet): void {
    this.#fresh.add(sheet.unit);
    this.sheets.value = new Map(this.sheets.value).set(sheet.unit, sheet);
  }

  async #hear(): Promise<void> {
    const book = this.book.value;
    if (book === undefined) return;
    try {
      const { data } = await this.#link.ask<News & Record<string, unknown>>(
        "news",
        { source: this.#source },
        { signal: this.#leaving.signal },
      );
      if (data.revision !== book.revision) {
        await this.open("", null);
        return;
      }
      if (data.locks !== this.#locks) this.#fresh.clear();
      this.#locks = data.locks;
      this.notes.value = data.notes;
      // a new value tells those who look that sheets may be old, and that the head moved
      this.book.value = { ...book, head: data.head };
    } catch {
      // what is wrong with the line says the badge; the next move asks again
    }
  }
}
