// The rows that came from the kernel, in pages: each asked for once, the far ones forgotten.
import type { Edge, Page, Row } from "./shapes.ts";

export const PAGE = 60;
const KEPT = 12;

export type Fetch = (start: number, count: number, signal: AbortSignal) => Promise<Page>;

/** The rows of one look at one moment. */
export class Pages {
  readonly stamp: string;
  readonly total: number;
  #fetch: Fetch;
  #told: () => void;
  #pages = new Map<number, Page>();
  #asking = new Map<number, { life: AbortController; done: Promise<void> }>();
  /** why the last ask failed */
  error: unknown;
  /** somebody changed the history: its rows are others by now */
  stale = false;

  constructor(stamp: string, total: number, fetch: Fetch, told: () => void) {
    this.stamp = stamp;
    this.total = total;
    this.#fetch = fetch;
    this.#told = told;
  }

  row(place: number): Row | undefined {
    const page = this.#pages.get(Math.floor(place / PAGE));
    return page?.rows[place % PAGE];
  }

  /** The edges of the pages in which some rows lie; an edge that is in several comes once. */
  edges(first: number, count: number): Edge[] {
    const found = new Map<string, Edge>();
    for (const at of spanned(first, count)) {
      for (const edge of this.#pages.get(at)?.edges ?? []) found.set(edge.join(), edge);
    }
    return [...found.values()];
  }

  has(first: number, count: number): boolean {
    return spanned(first, Math.min(count, this.total - first)).every((at) => this.#pages.has(at));
  }

  /** See to it that some rows are there, and wait for them; what is not wanted any more is given up. */
  want(first: number, count: number): Promise<void> {
    const wanted = spanned(first, Math.min(count, this.total - first));
    for (const [at, asking] of this.#asking) {
      if (!wanted.includes(at)) {
        asking.life.abort();
        this.#asking.delete(at);
      }
    }
    const coming = wanted.filter((at) => !this.#pages.has(at)).map((at) => this.#asking.get(at)?.done ?? this.#ask(at));
    return Promise.all(coming).then(() => undefined);
  }

  close(): void {
    for (const asking of this.#asking.values()) asking.life.abort();
    this.#asking.clear();
  }

  #ask(at: number): Promise<void> {
    const life = new AbortController();
    const done = this.#come(at, life.signal);
    this.#asking.set(at, { life, done });
    return done;
  }

  async #come(at: number, signal: AbortSignal): Promise<void> {
    try {
      const page = await this.#fetch(at * PAGE, PAGE, signal);
      if (signal.aborted) return;
      if (page.stamp !== this.stamp) {
        this.stale = true; // rows of another moment must not stand among these
      } else {
        this.error = undefined;
        this.#keep(at, page);
      }
    } catch (thrown) {
      if (signal.aborted) return;
      this.error = thrown;
    }
    this.#asking.delete(at);
    this.#told();
  }

  #keep(at: number, page: Page): void {
    this.#pages.set(at, page);
    if (this.#pages.size <= KEPT) return;
    const far = [...this.#pages.keys()].sort((one, other) => Math.abs(other - at) - Math.abs(one - at))[0];
    if (far !== undefined) this.#pages.delete(far);
  }
}

function spanned(first: number, count: number): number[] {
  if (count <= 0) return [];
  const from = Math.max(0, Math.floor(first / PAGE));
  const to = Math.floor((first + count - 1) / PAGE);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
