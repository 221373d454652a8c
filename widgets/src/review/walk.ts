// A walk through what is seen to change: from region to region, on to the next page where a page has no more.
import { type Signal, signal } from "@preact/signals";
import type { Mark, Point, Rect, Sheet } from "../viewer/sheet.ts";

/** A part of a page that is drawn differently, in millimetres. */
export interface Region {
  n: number;
  box: Rect;
  /** share of the page's pixels that changed in it */
  share: number;
  objects: string[];
}

export interface Regions {
  regions: Region[];
  /** slighter ones that are not among them */
  more: number;
  /** share of the page's pixels that changed */
  changed: number;
}

/** Of a page that is only there before or after: all of it. */
export function wholly(sheet: Sheet): Regions {
  return { regions: [{ n: 1, box: sheet.trim, share: 1, objects: [] }], more: 0, changed: 1 };
}

export class Walk {
  /** whether regions are marked in the picture */
  readonly shown = signal(false);
  /** the region one is at; 0 is none */
  readonly at = signal(0);
  readonly found: Signal<Regions | undefined> = signal(undefined);
  #wanted: -1 | 0 | 1 = 0;
  #turn: (by: number) => boolean;

  /** `turn` goes to another page with changes; gives whether there is one. */
  constructor(turn: (by: number) => boolean) {
    this.#turn = turn;
  }

  show(shown: boolean): void {
    this.shown.value = shown;
    this.at.value = 0;
    this.#wanted = 0;
    if (!shown) this.found.value = undefined;
  }

  /** Another picture: what is known of the last one is of no use. */
  forget(): void {
    this.found.value = undefined;
    this.at.value = 0;
  }

  /** What differs in the picture has come. */
  come(found: Regions): void {
    if (!this.shown.value) return;
    this.found.value = found;
    const by = this.#wanted;
    if (by === 0) return;
    if (found.regions.length > 0) this.go(by > 0 ? 1 : found.regions.length);
    else this.#further(by);
  }

  go(region: number): void {
    this.#wanted = 0;
    this.at.value = region;
  }

  /** To the next region, or the one before it. */
  leap(by: -1 | 1): void {
    if (!this.shown.value) this.show(true);
    const count = this.found.value?.regions.length;
    if (count === undefined) {
      this.#wanted = by;
      return;
    }
    const next = this.at.value === 0 && by < 0 ? count : this.at.value + by;
    if (next >= 1 && next <= count) this.go(next);
    else this.#further(by);
  }

  #further(by: -1 | 1): void {
    this.#wanted = this.#turn(by) ? by : 0;
  }
}

/** The marks of regions, the one that one is at brought out. */
export function marksOfRegions(
  regions: readonly Region[],
  at: number,
  label: (region: Region) => string,
  go: (region: number) => void,
  both: boolean,
): Mark[] {
  return regions.map((region) => ({
    id: `region/${region.n}`,
    kind: "box",
    tone: region.n === at ? "note" : "change",
    label: label(region),
    text: String(region.n),
    outline: corners(region.box),
    ...(both ? { on: "both" as const } : {}),
    onClick: () => go(region.n),
  }));
}

function corners([x, y, width, height]: Rect): Point[] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
}

/** What the objects of a region are called, as far as they are on a sheet. */
export function namesOf(region: Region, sheets: readonly (Sheet | null | undefined)[]): string {
  const named = (id: string) => {
    for (const sheet of sheets) {
      const thing = sheet?.objects.find((item) => item.id === id);
      if (thing !== undefined) return thing.name;
    }
    return "";
  };
  return region.objects
    .map(named)
    .filter((name) => name !== "")
    .slice(0, 3)
    .join(", ");
}
