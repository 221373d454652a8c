// One novel before a person: what the kernel tells of it, which chapter is read, and what was asked for.
import { type Signal, signal } from "@preact/signals";
import { isAbort, type Link } from "../link.ts";
import type { Data, Model } from "../protocol.ts";
import {
  type Desk,
  type Instruction,
  joined,
  type LedgerPage,
  type Piece,
  type Place,
  type ProsePart,
  placeName,
  type Receipt,
  shownChapter,
} from "./facts.ts";

export type View = "outline" | "text" | "author";
export type Side = "chapters" | "people" | "foreshadows" | "revisions";

interface Kept {
  chapter?: string;
  view?: View;
  side?: Side;
}

export interface Draft {
  text: string;
  /** Names the message: sent twice, it is taken once. */
  message: string;
  /** The blocked instruction that it is about. */
  about: { id: string; sequence: number; as: "clarification" | "withdrawal" } | undefined;
}

/** Asks again whether the author still lives: one that is killed tells nobody. */
const PULSE = 5_000;

export class Story {
  readonly desk: Signal<Desk | undefined> = signal(undefined);
  /** What failed, by what was being done: it goes away when that succeeds. */
  readonly errors: Signal<Readonly<Record<string, unknown>>> = signal({});
  readonly author = signal("");
  readonly chapter = signal("");
  readonly pieces: Signal<Piece[]> = signal([]);
  /** The chapter whose prose is there. */
  readonly read = signal("");
  readonly older: Signal<{ items: Instruction[]; earlier: number | null } | undefined> = signal(undefined);
  /** A place that was jumped to. */
  readonly marked = signal("");
  readonly jumps = signal(0);
  readonly view: Signal<View>;
  readonly side: Signal<Side>;
  readonly draft: Signal<Draft> = signal(fresh());
  readonly sending = signal(false);
  readonly receipt: Signal<Receipt | undefined> = signal(undefined);
  readonly doing = signal("");
  /** How many deeds were done here. */
  readonly done = signal(0);

  #link: Link;
  #model: Model;
  #life = new AbortController();
  #loading: Promise<void> | undefined;
  #again = false;
  #proseTurn = 0;
  #content = -1;

  constructor(link: Link, model: Model) {
    this.#link = link;
    this.#model = model;
    const kept = (model.get("state") ?? {}) as Kept;
    this.view = signal(kept.view ?? "text");
    this.side = signal(kept.side ?? "chapters");
    this.chapter.value = kept.chapter ?? "";
  }

  /** Begin to look and to listen; gives the way to stop. */
  open(): () => void {
    const stop = this.#link.on("moved", () => void this.load());
    const pulse = setInterval(() => void this.#pulse(), PULSE);
    void this.load();
    return () => {
      stop();
      clearInterval(pulse);
      this.#life.abort();
    };
  }

  /** Look at it again; what moves meanwhile is looked at once more afterwards. */
  load(): Promise<void> {
    if (this.#loading !== undefined) {
      this.#again = true;
      return this.#loading;
    }
    this.#loading = this.#load().finally(() => {
      this.#loading = undefined;
      if (this.#again) {
        this.#again = false;
        void this.load();
      }
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    await this.#guarded("read", async () => this.#take(await this.#ask<Desk>("desk")));
  }

  #take(desk: Desk): void {
    const before = this.desk.value;
    if (before !== undefined && before.revision > desk.revision) return;
    this.desk.value = desk;
    this.author.value = desk.author;
    const chapter = shownChapter(this.chapter.value, desk.chapters);
    if (chapter !== this.read.value || desk.content !== this.#content) {
      this.chapter.value = chapter;
      this.#content = desk.content;
      void this.#prose();
    }
  }

  async #pulse(): Promise<void> {
    if (this.author.value === "" || document.visibilityState !== "visible" || this.#link.state.value !== "live") return;
    try {
      const { author, doubtful } = await this.#ask<{ author: string; doubtful: boolean }>("author");
      this.author.value = author;
      if (doubtful !== this.desk.value?.controls.free.shown) void this.load();
    } catch {
      // what ends the line says so itself
    }
  }

  async #prose(): Promise<void> {
    const turn = ++this.#proseTurn;
    const chapter = this.chapter.value;
    if (chapter === "") {
      this.pieces.value = [];
      this.read.value = "";
      return;
    }
    await this.#guarded("prose", async () => {
      const pieces: Piece[] = [];
      let start: number | null = 0;
      while (start !== null) {
        const part: ProsePart = await this.#ask<ProsePart>("prose", { chapter, start });
        if (turn !== this.#proseTurn) return;
        pieces.push(...part.units);
        start = part.next;
      }
      this.pieces.value = pieces;
      this.read.value = chapter;
    });
  }

  // where one looks

  show(chapter: string): void {
    this.marked.value = "";
    if (chapter !== this.chapter.value) {
      this.chapter.value = chapter;
      void this.#prose();
    }
    this.look("text");
  }

  jump(place: Place): void {
    if (place.chapter !== this.chapter.value) {
      this.chapter.value = place.chapter;
      void this.#prose();
    }
    this.marked.value = placeName(place);
    this.jumps.value += 1;
    this.look("text");
  }

  look(view: View): void {
    this.view.value = view;
    this.#keep();
  }

  turn(side: Side): void {
    this.side.value = side;
    this.#keep();
  }

  #keep(): void {
    const state: Kept = { chapter: this.chapter.value, view: this.view.value, side: this.side.value };
    try {
      this.#model.set("state", state);
      this.#model.save_changes();
    } catch {
      // a model whose kernel is gone keeps nothing; the shell says so
    }
  }

  // the ledger

  /** What is shown of the ledger: the newest, and what was asked for beyond. */
  get instructions(): Instruction[] {
    return joined(this.desk.value?.ledger.instructions ?? [], this.older.value?.items ?? []);
  }

  get earlier(): number | null {
    return this.older.value === undefined ? (this.desk.value?.ledger.earlier ?? null) : this.older.value.earlier;
  }

  async more(): Promise<void> {
    const before = this.earlier;
    if (before === null) return;
    await this.#guarded("ledger", async () => {
      const page = await this.#ask<LedgerPage>("instructions", { before });
      this.older.value = {
        items: joined(this.older.value?.items ?? [], page.instructions),
        earlier: page.earlier,
      };
    });
  }

  write(text: string): void {
    this.draft.value = { ...this.draft.value, text };
  }

  /** Begin to say what a blocked instruction means, or to take it back. */
  about(about: Draft["about"], text = ""): void {
    this.draft.value = { ...fresh(), about, text };
  }

  /** Send what is written; it is received once its receipt is here, and sent again it is still the same message. */
  async send(): Promise<Receipt | undefined> {
    const draft = this.draft.value;
    if (this.sending.value || draft.text.trim() === "") return undefined;
    this.sending.value = true;
    this.receipt.value = undefined;
    let receipt: Receipt | undefined;
    await this.#guarded("instruct", async () => {
      const args: Data = { text: draft.text, message: draft.message };
      if (draft.about !== undefined) Object.assign(args, { source: draft.about.as, answers: draft.about.id });
      const answer = await this.#ask<{ receipt: Receipt; desk: Desk }>("instruct", args);
      receipt = answer.receipt;
      this.receipt.value = receipt;
      this.draft.value = fresh();
      this.#take(answer.desk);
    });
    if (receipt === undefined && this.draft.value === draft && refusedAsOther(this.errors.value.instruct)) {
      this.draft.value = { ...draft, message: fresh().message };
    }
    this.sending.value = false;
    return receipt;
  }

  // deeds

  /** Do something by the kernel, and look at what it made; gives the answer, or nothing where it was refused. */
  async act<T extends Data>(name: string, args: Data = {}): Promise<(T & { desk?: Desk }) | undefined> {
    if (this.doing.value !== "") return undefined;
    this.doing.value = name;
    let given: (T & { desk?: Desk }) | undefined;
    await this.#guarded("act", async () => {
      given = await this.#ask<T & { desk?: Desk }>(name, args);
      if (given.desk !== undefined) this.#take(given.desk);
    });
    this.doing.value = "";
    if (given !== undefined) this.done.value += 1;
    if (given === undefined) void this.load();
    return given;
  }

  async #ask<T>(name: string, args: Data = {}): Promise<T> {
    return (await this.#link.ask<T>(name, args, { signal: this.#life.signal })).data;
  }

  async #guarded(what: string, step: () => Promise<void>): Promise<void> {
    try {
      await step();
      const { [what]: _, ...rest } = this.errors.value;
      this.errors.value = rest;
    } catch (error) {
      if (!isAbort(error)) this.errors.value = { ...this.errors.value, [what]: error };
    }
  }
}

/** Whether a message was taken before with other words: what is written now needs a name of its own. */
function refusedAsOther(error: unknown): boolean {
  return (error as { refusal?: { code?: string } } | undefined)?.refusal?.code === "idempotency_conflict";
}

function fresh(): Draft {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const name = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { text: "", message: `desk-${name}`, about: undefined };
}
