// One proposal before a person: what the kernel tells of it, what the person chose, and the one verdict that is given.
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { isAbort, type Link } from "../link.ts";
import type { Model, Progress, Refusal } from "../protocol.ts";
import { because, type Choices, chosen, pack, tooLong, unpack } from "./choices.ts";
import {
  type Facts,
  isNothing,
  type Keys,
  type Outcome,
  type Part,
  type Sound,
  type Standing,
  undecided,
  type Way,
} from "./facts.ts";
import { Giving, type Wanted } from "./giving.ts";
import { Look, type Looked } from "./look.ts";
import { type Row, Rows } from "./rows.ts";

interface Shown extends Looked {
  choices?: unknown;
  way?: Way;
}

const REST = 400;
const SOON = 60;
const LATER = 1_500;

export class Case {
  readonly facts: Signal<Facts | undefined> = signal(undefined);
  readonly outcome: Signal<Outcome | undefined> = signal(undefined);
  /** nothing of it would be left, or its outcome cannot be told */
  readonly unweighed: Signal<unknown> = signal(undefined);
  readonly weighing = signal(false);
  readonly keys: Signal<Keys | undefined> = signal(undefined);
  readonly sound: Signal<Sound | undefined> = signal(undefined);
  readonly checking: Signal<Progress | undefined> = signal(undefined);
  readonly choices: Signal<Choices> = signal({});
  readonly lost = signal(0);
  readonly bare = signal(false);
  /** whether all of it is in the notebook's state */
  readonly kept = signal(true);
  readonly moved: Signal<Standing | undefined> = signal(undefined);
  /** What failed, by what was being done: it goes away when that succeeds. */
  readonly errors: Signal<Readonly<Record<string, unknown>>> = signal({});
  readonly look: Look;
  /** why, as it was written so far for a verdict that was not given yet */
  readonly why = signal("");
  /** verdicts that were given here */
  readonly given = signal(0);
  readonly way: Signal<Way> = signal("merge");
  /** what was chosen when somebody else decided: to be read, not to be sent */
  readonly unsent: Signal<Choices> = signal({});

  readonly giving: Giving;

  /** What is left out, or was: parts with the part that each went along with. */
  readonly out: ReadonlySignal<ReadonlyMap<string, string>> = computed(() => {
    const facts = this.facts.value;
    const decided = facts && !undecided(facts) ? facts.verdicts.at(-1)?.rejected : undefined;
    return new Map((decided ?? this.outcome.value?.rejected ?? []).map((item) => [item.id, item.because] as const));
  });
  readonly byUnit: ReadonlySignal<ReadonlyMap<string, string[]>> = computed(() => {
    const found = new Map<string, string[]>();
    for (const part of this.facts.value?.parts ?? []) found.set(part.unit, [...(found.get(part.unit) ?? []), part.id]);
    return found;
  });
  /** What is drawn after: the source of the frozen draft, of the outcome, or of what an apply made. */
  readonly source: ReadonlySignal<string> = computed(() => this.#source());

  #link: Link;
  #model: Model;
  #proposal: string;
  #life = new AbortController();
  #rows: Rows;
  #turn = 0;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(link: Link, model: Model) {
    this.#link = link;
    this.#model = model;
    this.#proposal = String(model.get("proposal"));
    this.giving = new Giving(link);
    this.#rows = new Rows(
      computed(() => this.#reasons()),
      this.out,
    );
    this.look = new Look(this.facts, this.#shown, () => this.keep());
    this.way.value = this.#shown.way ?? "merge";
  }

  /** Begin to look and to listen; gives the way to stop. */
  open(): () => void {
    const stops = [
      this.#link.on("moved", () => void this.#happened()),
      this.#link.on("locked", () => void this.readKeys()),
      this.#link.state.subscribe((state) => this.#heard(state)),
    ];
    const other = () => this.#other();
    this.#model.on("change:proposal", other);
    window.addEventListener("pagehide", this.#write);
    void this.load();
    void this.readKeys();
    void this.check();
    return () => {
      for (const stop of stops) stop();
      this.#model.off("change:proposal", other);
      window.removeEventListener("pagehide", this.#write);
      this.#write();
      clearTimeout(this.#soon);
      clearTimeout(this.#later);
      this.#life.abort();
    };
  }

  // what is known

  /** Look at it, again or for the first time: choices stay as far as their parts are still there. */
  async load(): Promise<void> {
    const before = this.facts.value;
    await this.#guarded("read", async () => {
      const facts = await this.#ask<Facts>("review");
      if (facts.proposal !== this.#proposal) return;
      const kept = before === undefined ? this.#shown.choices : pack(before.proposal, this.choices.value);
      const { choices, lost } = unpack(kept, facts.proposal, facts.parts);
      if (undecided(facts)) {
        this.choices.value = choices;
        this.lost.value = lost;
      } else {
        if (before === undefined || undecided(before)) this.unsent.value = choices;
        this.choices.value = {};
        this.outcome.value = undefined;
      }
      this.moved.value = undefined;
      this.facts.value = facts;
      this.look.settle();
      if (undecided(facts)) await this.#weigh();
    });
  }

  async readKeys(): Promise<void> {
    await this.#guarded("keys", async () => {
      this.keys.value = await this.#ask<Keys>("keys", {}, false);
    });
  }

  /** Check the whole workspace; slow for a large one, so it goes on beside everything else. */
  async check(): Promise<void> {
    this.checking.value = { done: 0, total: 0, words: "" };
    await this.#guarded("check", async () => {
      const { data } = await this.#link.ask<Sound>(
        "sound",
        {},
        {
          signal: this.#life.signal,
          onProgress: (progress) => {
            this.checking.value = progress;
          },
        },
      );
      this.sound.value = data;
    });
    this.checking.value = undefined;
  }

  row(id: string): ReadonlySignal<Row> {
    return this.#rows.get(id);
  }

  /** Reasons of what is left out, or of what the verdict left out. */
  #reasons(): Choices {
    const facts = this.facts.value;
    if (facts === undefined || undecided(facts)) return this.choices.value;
    return Object.fromEntries((facts.verdicts.at(-1)?.rejected ?? []).map((item) => [item.id, item.reason]));
  }

  /** Weigh the choices anew: what was looked at too long ago cannot be drawn any more. */
  weighAgain(): void {
    void this.#weigh();
  }

  part(id: string): Part | undefined {
    return this.facts.value?.parts.find((item) => item.id === id);
  }

  /** Why no verdict can be given now: the first thing that stands in its way. */
  readonly hindrance: ReadonlySignal<"" | "moved" | "damaged" | "missing" | "reasons" | "giving"> = computed(() => {
    if (this.giving.now.value !== undefined) return "giving";
    if (this.moved.value !== undefined) return "moved";
    if (this.sound.value?.clean === false) return "damaged";
    if (this.keys.value?.missing !== undefined) return "missing";
    return tooLong(this.choices.value).length > 0 ? "reasons" : "";
  });

  /** Why it cannot be applied in particular. */
  readonly unappliable: ReadonlySignal<"" | "locked" | "nothing" | "refused" | "weighing"> = computed(() => {
    if (this.unweighed.value !== undefined) return isNothing(this.unweighed.value) ? "nothing" : "refused";
    const outcome = this.outcome.value;
    if (outcome === undefined || this.weighing.value) return "weighing";
    if (outcome.refused !== null) return "refused";
    return outcome.locks.length > 0 ? "locked" : "";
  });

  #source(): string {
    const facts = this.facts.value;
    if (facts === undefined) return "";
    if (!undecided(facts)) {
      const made = facts.state === "applied" ? facts.verdicts.at(-1)?.result : undefined;
      return `r${made ?? facts.frozen}`;
    }
    const outcome = this.outcome.value;
    if (this.look.after.value === "proposed" || !outcome?.source) return `r${facts.frozen}`;
    const told = this.look.after.value === "outcome" || outcome.rejected.length > 0 || outcome.modes[0] !== "plain";
    return told ? outcome.source : `r${facts.frozen}`;
  }

  // what a person chooses

  take(ids: readonly string[], take: boolean): void {
    this.#choose(chosen(this.choices.value, ids, take));
  }

  reason(ids: readonly string[], reason: string): void {
    this.choices.value = because(this.choices.value, ids, reason);
    this.keep();
  }

  meet(way: Way): void {
    this.way.value = way;
    this.keep();
    void this.#weigh();
  }

  #choose(choices: Choices): void {
    this.choices.value = choices;
    this.weighing.value = true;
    this.keep();
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => void this.#weigh(), SOON);
  }

  /** Write where one looks and what was chosen into the notebook, once it rests. */
  keep(): void {
    clearTimeout(this.#rest);
    this.kept.value = false;
    this.#rest = setTimeout(this.#write, REST);
  }

  #write = (): void => {
    clearTimeout(this.#rest);
    if (this.kept.value) return;
    const facts = this.facts.value;
    const kept = pack(this.#proposal, facts && !undecided(facts) ? this.unsent.value : this.choices.value);
    this.bare.value = kept.bare === true;
    const state: Shown = {
      choices: kept,
      ...this.look.kept(),
      way: this.way.value,
    };
    this.kept.value = true;
    try {
      this.#model.set("state", state);
      this.#model.save_changes();
    } catch {
      // a model whose kernel is gone keeps nothing; the shell says so
    }
  };

  /** What an apply of the choices would make. */
  async #weigh(): Promise<void> {
    const turn = ++this.#turn;
    this.weighing.value = true;
    const reject = Object.fromEntries(Object.keys(this.choices.value).map((id) => [id, ""]));
    try {
      const outcome = await this.#ask<Outcome>("outcome", { reject, mode: this.way.value });
      if (turn !== this.#turn) return;
      this.outcome.value = outcome;
      this.unweighed.value = undefined;
      if (outcome.compared !== this.facts.value?.compared) void this.#happened();
    } catch (error) {
      if (turn !== this.#turn || isAbort(error)) return;
      this.unweighed.value = error;
    } finally {
      if (turn === this.#turn) this.weighing.value = false;
    }
  }

  // the verdict

  /** Give a verdict; it is sent once, and what became of it is read when its answer does not come. */
  async give(wanted: Wanted): Promise<"given" | "left" | Refusal> {
    const facts = this.facts.value;
    if (facts === undefined || this.giving.now.value !== undefined) return "left";
    const seen = {
      proposal: facts.proposal,
      compared: facts.compared,
      seen: facts.verdicts.length,
      mode: wanted.verdict === "apply" ? (this.outcome.value?.mode ?? "plain") : "plain",
      reject: wanted.verdict === "apply" ? this.choices.value : {},
    };
    const came = await this.giving.send(wanted, seen, async (refusal) => {
      if (refusal === undefined) await this.#decided();
      else if (refusal.code === "wrong_state") await this.load();
      else if (refusal.code === "stale_head") await this.#happened(true);
      else if (refusal.code === "corrupt") void this.check();
    });
    if (this.#link.state.value === "live") void this.readKeys();
    return came;
  }

  /** The person's own verdict was given: nothing that was chosen is left unsent. */
  async #decided(): Promise<void> {
    await this.load();
    this.unsent.value = {};
    this.why.value = "";
    this.keep();
  }

  /** Wait for an answer no longer; how it stands is read, and nothing is sent again. */
  async giveUp(): Promise<void> {
    await this.load();
    this.giving.leave();
  }

  async lock(): Promise<void> {
    await this.#guarded("keys", async () => {
      this.keys.value = await this.#ask<Keys>("lock", {}, false);
    });
  }

  async settle(conflict: string, choice: "ours" | "theirs"): Promise<void> {
    const compared = this.facts.value?.compared;
    await this.#guarded("settle", async () => {
      try {
        await this.#ask("settle", { conflict, choice, compared });
      } finally {
        await this.load();
      }
    });
  }

  async exported(verdict: string): Promise<string> {
    return (await this.#ask<{ file: string }>("export", { verdict })).file;
  }

  async openOther(proposal: string): Promise<void> {
    await this.#guarded("open", async () => {
      await this.#link.ask("open", { proposal }, { signal: this.#life.signal });
    });
  }

  // what happens meanwhile

  /** Something was committed: read how it stands, and take it as it is. */
  async #happened(force = false): Promise<void> {
    const facts = this.facts.value;
    if (facts === undefined) return;
    await this.#guarded("stand", async () => {
      const { ticket } = this.giving;
      const now = await this.#ask<Standing>("standing", { since: facts.compared, ticket });
      if (this.facts.value !== facts) return;
      const decided = now.state !== facts.state || now.verdicts !== facts.verdicts.length;
      if (this.giving.now.value !== undefined && !force) {
        if (now.given) {
          await this.#decided(); // its answer may never come, but what became of it is known
          this.giving.leave();
        } else if (decided) {
          clearTimeout(this.#later);
          this.#later = setTimeout(() => void this.#happened(), LATER);
        }
        return;
      }
      if (decided) await this.load();
      else if (now.head !== facts.compared) {
        if (undecided(facts)) this.moved.value = now;
        else await this.load(); // conflicts are chosen on the work as it stands
      }
    });
  }

  #heard(state: string): void {
    const giving = this.giving.now.value;
    if (giving === undefined) {
      if (state === "live" && this.facts.value !== undefined) {
        void this.#happened();
        void this.readKeys();
      }
    } else if (state === "waiting") {
      this.giving.tell({ silent: true });
    } else if (state === "live" && giving.silent) {
      void this.#happened().then(() => this.giving.tell({ silent: false, unheard: true }));
    }
  }

  #other(): void {
    const proposal = String(this.#model.get("proposal"));
    if (proposal === this.#proposal) return;
    this.#proposal = proposal;
    this.#turn++;
    this.#rows.clear();
    this.facts.value = undefined;
    this.outcome.value = undefined;
    this.unweighed.value = undefined;
    this.choices.value = {};
    this.unsent.value = {};
    this.why.value = "";
    this.look.leave();
    this.errors.value = {};
    void this.load();
  }

  get #shown(): Shown {
    return (this.#model.get("state") ?? {}) as Shown;
  }

  async #ask<T>(name: string, args: Record<string, unknown> = {}, about = true): Promise<T> {
    const whole = about ? { proposal: this.#proposal, ...args } : args;
    return (await this.#link.ask<T>(name, whole, { signal: this.#life.signal })).data;
  }

  async #guarded(doing: string, step: () => Promise<void>): Promise<void> {
    try {
      await step();
      const { [doing]: before, ...others } = this.errors.value;
      if (before !== undefined) this.errors.value = others;
    } catch (error) {
      if (!isAbort(error)) this.errors.value = { ...this.errors.value, [doing]: error };
    }
  }
}
