// How each change stands in the list: taken, left out with a reason, or gone along with another.
import { computed, type ReadonlySignal } from "@preact/signals";
import type { Choices } from "./choices.ts";

export interface Row {
  /** in: it is taken. out: the person left it out. along: it goes with another that is left out. */
  state: "in" | "out" | "along";
  /** the change that it goes with */
  because: string;
  reason: string;
}

const TAKEN: Row = { state: "in", because: "", reason: "" };

export class Rows {
  #known = new Map<string, ReadonlySignal<Row>>();
  #reasons: ReadonlySignal<Choices>;
  #out: ReadonlySignal<ReadonlyMap<string, string>>;

  /** From the reasons of what was left out, and from all that is out with what each goes with. */
  constructor(reasons: ReadonlySignal<Choices>, out: ReadonlySignal<ReadonlyMap<string, string>>) {
    this.#reasons = reasons;
    this.#out = out;
  }

  /** A change's row; the same object for as long as it stands as it does, so that only what changes is drawn anew. */
  get(id: string): ReadonlySignal<Row> {
    let found = this.#known.get(id);
    if (found === undefined) {
      let last = TAKEN;
      found = computed(() => {
        const cause = this.#out.value.get(id) ?? "";
        const reason = this.#reasons.value[id];
        const state = cause !== "" ? "along" : reason !== undefined ? "out" : "in";
        const next: Row = { state, because: cause, reason: reason ?? "" };
        if (next.state !== last.state || next.because !== last.because || next.reason !== last.reason) last = next;
        return last;
      });
      this.#known.set(id, found);
    }
    return found;
  }

  clear(): void {
    this.#known.clear();
  }
}
