// What is seen and not there yet, collected while a frame is drawn and asked for between frames.
import type { Link } from "../link.ts";
import type { Sheet } from "./sheet.ts";
import { type Spot, TileFeed, tileId } from "./tiles.ts";

const THROTTLE = 90;

interface Heard {
  arrived(): void;
  stale(sheet: Sheet): void;
}

export class Wants {
  readonly #link: Link;
  readonly #heard: Heard;
  #feeds = new Map<string, TileFeed>();
  #wanted = new Map<string, { sheet: Sheet; spots: Map<string, Spot> }>();
  #asked = 0;
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(link: Link, heard: Heard) {
    this.#link = link;
    this.#heard = heard;
  }

  /** A new frame begins. */
  begin(): void {
    this.#wanted.clear();
  }

  /** What is missing of a sheet, the most wanted first. A sheet that is seen is named also when nothing is missing. */
  add(sheet: Sheet, spots: readonly Spot[]): void {
    const known = this.#wanted.get(sheet.key) ?? { sheet, spots: new Map<string, Spot>() };
    for (const spot of spots) known.spots.set(tileId(sheet.key, spot), spot);
    this.#wanted.set(sheet.key, known);
  }

  /** Whether nothing is missing. */
  get whole(): boolean {
    return [...this.#wanted.values()].every(({ spots }) => spots.size === 0);
  }

  /** Whether tiles of a sheet were refused. */
  broken(sheet: Sheet): boolean {
    return this.#feeds.get(sheet.key)?.broken ?? false;
  }

  /** Why something that is seen was refused. */
  get error(): unknown {
    for (const key of this.#wanted.keys()) {
      const error = this.#feeds.get(key)?.error;
      if (error !== undefined) return error;
    }
    return undefined;
  }

  // While something moves, what is asked for at each frame would be given up at the next.
  askSoon(): void {
    if (this.#later !== undefined) return;
    const wait = this.#asked + THROTTLE - performance.now();
    if (wait <= 0) this.#ask();
    else this.#later = setTimeout(() => this.#ask(), wait);
  }

  /** Ask again for what was refused. */
  retry(): void {
    for (const feed of this.#feeds.values()) feed.retry();
  }

  close(): void {
    clearTimeout(this.#later);
    for (const feed of this.#feeds.values()) feed.close();
    this.#feeds.clear();
  }

  #ask(): void {
    this.#later = undefined;
    this.#asked = performance.now();
    for (const [key, feed] of this.#feeds) {
      if (this.#wanted.has(key)) continue;
      feed.close();
      this.#feeds.delete(key);
    }
    for (const { sheet, spots } of this.#wanted.values()) this.#feed(sheet).want([...spots.values()]);
  }

  #feed(sheet: Sheet): TileFeed {
    let feed = this.#feeds.get(sheet.key);
    if (feed === undefined) {
      feed = new TileFeed(this.#link, sheet, {
        arrived: () => this.#heard.arrived(),
        failed: () => this.#heard.arrived(),
        stale: () => this.#heard.stale(sheet),
      });
      this.#feeds.set(sheet.key, feed);
    }
    return feed;
  }
}
