// Where a person looks: the page, the way of comparing it, what is chosen and pointed at, and where to fly next.
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { COMPARISONS, type Comparison } from "../viewer/sheet.ts";
import type { Facts, UnitFacts } from "./facts.ts";
import { Walk } from "./walk.ts";

/** What stands after the comparison: what is proposed, or the work as it would be applied; auto is whichever tells more. */
export type After = "auto" | "proposed" | "outcome";

/** As it is kept with the notebook. */
export interface Looked {
  unit?: string;
  compare?: Comparison;
  after?: After;
}

export class Look {
  readonly unit = signal("");
  /** part that was gone to, and part under the pointer in the list */
  readonly selected = signal("");
  readonly hovered = signal("");
  /** object under the pointer in the picture */
  readonly pointed = signal("");
  /** where to fly as soon as it is drawn */
  readonly target: Signal<{ unit: string; object: string } | undefined> = signal(undefined);
  readonly compare: Signal<Comparison> = signal("side");
  readonly after: Signal<After> = signal("auto");
  /** through the regions that are drawn differently */
  readonly walk = new Walk((by) => this.turn(by));
  #facts: ReadonlySignal<Facts | undefined>;
  #moved: () => void;

  /** Over what is known; `moved` hears that one looks elsewhere. */
  constructor(facts: ReadonlySignal<Facts | undefined>, kept: Looked, moved: () => void) {
    this.#facts = facts;
    this.#moved = moved;
    if (kept.unit) this.unit.value = kept.unit;
    if (kept.compare && COMPARISONS.includes(kept.compare)) this.compare.value = kept.compare;
    if (kept.after) this.after.value = kept.after;
  }

  kept(): Looked {
    return { unit: this.unit.value, compare: this.compare.value, after: this.after.value };
  }

  /** Go to a row of the list: a part, or a unit as `unit un_…`. */
  go(row: string): void {
    const part = this.#facts.value?.parts.find((item) => item.id === row);
    if (part !== undefined) {
      this.selected.value = part.id;
      this.show(part.unit, part.object);
    } else if (row.startsWith("unit ")) {
      this.selected.value = "";
      this.show(row.slice(5), "");
    }
  }

  /** Show a place: a unit, and an object on it. */
  show(unit: string, object: string): void {
    if (!this.#there().some((item) => item.unit === unit)) return;
    if (this.unit.value !== unit) {
      this.unit.value = unit;
      this.#moved();
    }
    this.target.value = { unit, object };
  }

  /** The page with changes that is so many further; gives whether there is one. */
  turn(by: number): boolean {
    const units = this.#there();
    const next = units[units.findIndex((item) => item.unit === this.unit.value) + by];
    if (next !== undefined) this.show(next.unit, "");
    return next !== undefined;
  }

  compareBy(mode: Comparison): void {
    this.compare.value = mode;
    this.#moved();
  }

  standAfter(after: After): void {
    this.after.value = after;
    this.#moved();
  }

  /** Look at a page that is there, the first where the one that was looked at is not. */
  settle(): void {
    const units = this.#there();
    if (!units.some((item) => item.unit === this.unit.value)) this.unit.value = units[0]?.unit ?? "";
  }

  /** Another proposal is before the person. */
  leave(): void {
    this.selected.value = "";
    this.unit.value = "";
    this.after.value = "auto";
  }

  #there(): UnitFacts[] {
    return (this.#facts.value?.units ?? []).filter((item) => item.before || item.after);
  }
}
