// What the parts of the history share: the look, the rows, what is selected and marked; kept in step with the kernel.
import { batch, signal } from "@preact/signals";
import { isAbort, type Link } from "../link.ts";
import type { Data, Model } from "../protocol.ts";
import { Pages } from "./pages.ts";
import { type Fault, type Look, numberOf, type Overview, type Page, type Row, type Steps } from "./shapes.ts";

/** How far back a quick range goes, in milliseconds. */
const RANGES = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000, month: 30 * 86_400_000 } as const;
export type Range = keyof typeof RANGES | "always" | "range";
export type Tab = "revision" | "compare";

/** What of it survives a reload of the page. */
interface Saved {
  look?: Look;
  range?: Range;
  selected?: string;
  a?: string;
  b?: string;
  tab?: Tab;
}

/** The part of the list that is seen. */
interface Seen {
  /** pixels */
  top: number;
  rowHeight: number;
  /** rows that have room */
  rows: number;
}

const TRIES = 4;

export class HistoryStore {
  readonly look = signal<Look>({});
  readonly range = signal<Range>("always");
  readonly overview = signal<Overview | undefined>(undefined);
  readonly pages = signal<Pages | undefined>(undefined);
  /** counts up when rows came */
  readonly came = signal(0);
  readonly selected = signal("");
  /** the row of the selected one, as it was last seen */
  readonly row = signal<Row | undefined>(undefined);
  readonly a = signal("");
  readonly b = signal("");
  readonly tab = signal<Tab>("revision");
  readonly steps = signal<Steps | undefined>(undefined);
  readonly faults = signal<ReadonlyMap<string, Fault[]>>(new Map());
  readonly error = signal<unknown>(undefined);
  readonly busy = signal(false);
  /** revisions that came while one looked further down */
  readonly fresh = signal(0);
  /** where the list shall stand, in pixels; the list takes it up */
  readonly scroll = signal<{ top: number } | undefined>(undefined);
  /** what was done or happened last, in words */
  readonly note = signal("");
  seen: Seen = { top: 0, rowHeight: 30, rows: 20 };
  /** what somebody else did */
  onNews: (rows: Row[], count: number) => void = () => {};

  #link: Link;
  #model: Model;
  #own = new Set<string>();
  #checked = new Set<string>();
  #syncing: AbortController | undefined;
  #life = new AbortController();

  constructor(link: Link, model: Model) {
    this.#link = link;
    this.#model = model;
    const saved = (model.get("state") ?? {}) as Saved;
    this.range.value = saved.range ?? "always";
    this.look.value = { ...saved.look };
    if (this.range.value !== "range") this.#since();
    this.selected.value = named(saved.selected);
    this.a.value = named(saved.a);
    this.b.value = named(saved.b);
    this.tab.value = saved.tab === "compare" ? "compare" : "revision";
  }

  get signal(): AbortSignal {
    return this.#life.signal;
  }

  close(): void {
    this.#life.abort();
    this.#syncing?.abort();
    this.pages.value?.close();
  }

  async ask<T>(name: string, args: Data = {}): Promise<T> {
    return (await this.#link.ask<T>(name, args, { signal: this.#life.signal })).data;
  }

  // rows

  /** Read the history anew, without losing the place: `find` is a revision to go to, `toTop` goes to the newest. */
  async sync(options: { find?: string; toTop?: boolean } = {}): Promise<void> {
    this.#syncing?.abort();
    const asking = new AbortController();
    this.#syncing = asking;
    this.busy.value = true;
    try {
      for (let tries = 0; tries < TRIES; tries++) {
        if (await this.#read(asking.signal, options)) break;
      }
      this.error.value = undefined;
      if (!asking.signal.aborted) void this.#look();
    } catch (thrown) {
      if (!isAbort(thrown)) this.error.value = thrown;
    } finally {
      if (this.#syncing === asking) this.busy.value = false;
    }
  }

  /** One try; false when the history moved while it was read. */
  async #read(given: AbortSignal, { find = "", toTop = false }: { find?: string; toTop?: boolean }): Promise<boolean> {
    const before = this.overview.value;
    const { top, rowHeight, rows } = this.seen;
    const first = Math.floor(top / rowHeight);
    const atTop = toTop || top < rowHeight / 2;
    const anchor = this.pages.value?.row(first)?.id ?? "";
    const keep = [...new Set([find, anchor, this.selected.value, this.a.value, this.b.value])].filter(Boolean);
    const look = this.look.value;
    const { data } = await this.#link.ask<Overview>("history", { look, keep }, { signal: given });
    const fetch = async (start: number, count: number, signal: AbortSignal): Promise<Page> =>
      (await this.#link.ask<Page>("rows", { look, start, count }, { signal })).data;
    const pages: Pages = new Pages(data.stamp, data.rows, fetch, () => {
      this.came.value++;
      if (pages.error !== undefined) this.error.value = pages.error;
      if (pages.stale && this.pages.value === pages) void this.sync();
    });
    const room = Math.max(0, data.rows * rowHeight - rows * rowHeight);
    const found = data.places[find] ?? null;
    const kept = data.places[anchor] ?? null;
    let stand = Math.min(top, room);
    if (found !== null) stand = Math.min(room, Math.max(0, (found - Math.floor(rows / 3)) * rowHeight));
    else if (atTop) stand = 0;
    else if (kept !== null) stand = Math.min(room, kept * rowHeight + (top - first * rowHeight));
    await pages.want(Math.floor(stand / rowHeight), rows + 1);
    if (given.aborted) {
      pages.close();
      return true;
    }
    if (pages.stale) return false;
    if (pages.error !== undefined) throw pages.error;
    const news = before !== undefined && data.newest > before.newest ? this.#news(pages, before.newest) : [];
    batch(() => {
      this.pages.value?.close();
      this.overview.value = data;
      this.pages.value = pages;
      if (stand === 0) this.fresh.value = 0;
      else if (before !== undefined && kept !== null && kept > first) this.fresh.value += kept - first;
      this.scroll.value = { top: stand };
      this.came.value++;
    });
    if (news.length > 0) this.onNews(news, news.length);
    return true;
  }

  /** Rows that others made since, as far as they are at hand. */
  #news(pages: Pages, newest: number): Row[] {
    const found: Row[] = [];
    for (let place = 0; place < pages.total; place++) {
      const row = pages.row(place);
      if (row === undefined || numberOf(row.id) <= newest) break;
      if (!this.#own.has(row.id)) found.push(row);
    }
    return found;
  }

  async #look(): Promise<void> {
    try {
      this.steps.value = await this.ask<Steps>("steps");
    } catch (thrown) {
      if (!isAbort(thrown)) this.steps.value = undefined;
    }
  }

  /** Ask whether rows that are seen hold what they say; each once. */
  async check(rows: readonly Row[]): Promise<void> {
    const wanted = rows.filter((row) => row.damage === undefined && !this.#checked.has(row.id)).map((row) => row.id);
    if (wanted.length === 0) return;
    for (const id of wanted) this.#checked.add(id);
    try {
      const { faults } = await this.ask<{ faults: Record<string, Fault[]> }>("check", { revisions: wanted });
      if (Object.keys(faults).length > 0)
        this.faults.value = new Map([...this.faults.value, ...Object.entries(faults)]);
    } catch {
      for (const id of wanted) this.#checked.delete(id); // asked again when they come into sight again
    }
  }

  // what is looked for

  set(change: Partial<Look>, range: Range = this.range.value): void {
    batch(() => {
      this.range.value = range;
      this.look.value = tidy({ ...this.look.value, ...change });
      if (range !== "range") this.#since();
    });
    this.save();
    void this.sync({ find: this.selected.value, toTop: true });
  }

  /** Fold or unfold a run, by its oldest revision. */
  turn(first: string, open: boolean): void {
    const number = numberOf(first);
    const others = (this.look.value.opened ?? []).filter((other) => other !== number);
    this.look.value = tidy({ ...this.look.value, opened: open ? [...others, number] : others });
    this.save();
    void this.sync();
  }

  clear(): void {
    const { fold, opened } = this.look.value;
    this.look.value = tidy({ ...(fold === undefined ? {} : { fold }), ...(opened === undefined ? {} : { opened }) });
    this.range.value = "always";
    this.save();
    void this.sync({ find: this.selected.value, toTop: true });
  }

  get filtered(): boolean {
    const { fold: _, opened: __, ...filters } = this.look.value;
    return Object.keys(filters).length > 0;
  }

  #since(): void {
    const { since: _, until: __, ...rest } = this.look.value;
    const range = this.range.value;
    if (range === "range") return;
    this.look.value = range === "always" ? rest : { ...rest, since: Date.now() - RANGES[range] };
  }

  // what is selected

  select(row: Row): void {
    batch(() => {
      this.selected.value = row.id;
      this.row.value = row;
      this.tab.value = "revision";
    });
    this.save();
  }

  /** Go to a revision, wherever it is. */
  async go(id: string): Promise<void> {
    batch(() => {
      this.selected.value = id;
      this.row.value = undefined;
      this.tab.value = "revision";
    });
    this.save();
    await this.sync({ find: id });
  }

  mark(which: "a" | "b", id: string): void {
    const [mine, other] = which === "a" ? [this.a, this.b] : [this.b, this.a];
    batch(() => {
      mine.value = mine.value === id ? "" : id;
      if (other.value === id) other.value = "";
      if (mine.value !== "" && other.value !== "") this.tab.value = "compare";
    });
    this.save();
  }

  compare(a: string, b: string): void {
    batch(() => {
      this.a.value = a;
      this.b.value = b;
      this.tab.value = a !== "" && b !== "" ? "compare" : this.tab.value;
    });
    this.save();
  }

  /** Note what was done here, and show it. */
  async did(made: string, words: string): Promise<void> {
    this.#own.add(made);
    this.note.value = words;
    await this.sync({ toTop: true });
  }

  save(): void {
    const { since, until, ...look } = this.look.value;
    const range = this.range.value;
    const own = range === "range" ? tidy({ ...look, since, until } as Look) : look;
    const saved: Saved = {
      look: own,
      range,
      selected: this.selected.value,
      a: this.a.value,
      b: this.b.value,
      tab: this.tab.value,
    };
    this.#model.set("state", saved);
    this.#model.save_changes();
  }
}

/** The name of a revision, whatever was saved. */
function named(saved: unknown): string {
  return typeof saved === "string" && /^r\d{1,16}$/.test(saved) ? saved : "";
}

/** A look without what says nothing. */
function tidy(look: { [K in keyof Look]?: Look[K] | undefined }): Look {
  return Object.fromEntries(
    Object.entries(look).filter(
      ([key, value]) =>
        value !== undefined &&
        value !== "" &&
        !(Array.isArray(value) && value.length === 0) &&
        !(key === "lines" && value === "all") &&
        !(key === "fold" && value === true),
    ),
  ) as Look;
}
