// Small pictures of units: asked for in batches when they come into sight, kept as object URLs until the view closes.
import { signal as cell, type Signal } from "@preact/signals";
import type { Link } from "../link.ts";
import type { UnitFacts } from "./book.ts";

const BATCH = 24;
const MOST = 800;
export const EDGE = 160;

export class Thumbs {
  /** Changes whenever pictures came. */
  readonly came: Signal<number> = cell(0);
  readonly #link: Link;
  readonly #leaving = new AbortController();
  #urls = new Map<string, string>();
  #wanted: UnitFacts[] = [];
  #source = "";
  #busy = false;
  #failed = new Set<string>();

  constructor(link: Link) {
    this.#link = link;
  }

  url(key: string): string | undefined {
    return this.#urls.get(key);
  }

  /** What is in sight. */
  want(source: string, units: readonly UnitFacts[]): void {
    this.#source = source;
    this.#wanted = units.filter(({ key }) => !this.#urls.has(key) && !this.#failed.has(key));
    void this.#pump();
  }

  /** Ask again for what did not come. */
  retry(): void {
    this.#failed.clear();
  }

  close(): void {
    this.#leaving.abort();
    for (const url of this.#urls.values()) URL.revokeObjectURL(url);
    this.#urls.clear();
  }

  async #pump(): Promise<void> {
    if (this.#busy || this.#wanted.length === 0 || this.#leaving.signal.aborted) return;
    this.#busy = true;
    const batch = this.#wanted.slice(0, BATCH);
    try {
      const { buffers } = await this.#link.ask(
        "thumbs",
        { source: this.#source, units: batch.map(({ unit }) => unit), edge: EDGE * 2 },
        { signal: this.#leaving.signal },
      );
      for (const [at, bytes] of buffers.entries()) {
        const key = batch[at]?.key;
        if (key === undefined || this.#urls.has(key)) continue;
        if (bytes.byteLength === 0) this.#failed.add(key);
        else this.#urls.set(key, URL.createObjectURL(new Blob([bytes])));
      }
      for (const [key, url] of this.#urls) {
        if (this.#urls.size <= MOST) break;
        URL.revokeObjectURL(url);
        this.#urls.delete(key);
      }
    } catch {
      for (const { key } of batch) this.#failed.add(key); // their titles stay; the page itself says what is wrong
    } finally {
      this.#busy = false;
    }
    if (this.#leaving.signal.aborted) return;
    this.#wanted = this.#wanted.filter(({ key }) => !this.#urls.has(key) && !this.#failed.has(key));
    this.came.value++;
    void this.#pump();
  }
}
