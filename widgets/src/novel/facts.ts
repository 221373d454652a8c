// What the kernel tells of a novel; see lantern_kit/widgets/novel.

export interface Place {
  commit: string;
  paragraph: number;
  chapter: string;
  title: string;
  /** Of the paragraph in its chapter, from 1. */
  number: number;
  quote?: string;
}

export interface ChapterLine {
  id: string;
  title: string;
  state: "planned" | "writing" | "completed";
  current: boolean;
  planned: number;
  written: number;
  pieces: number;
  scenes: number;
  done: number;
}

export interface ChapterPlan {
  id: string;
  purpose: string;
  events: string[];
  people: string[];
  entry: string;
  exit: string;
  evidence: string;
  open: string[];
  scenes: {
    id: string;
    goal: string;
    state: "planned" | "writing" | "done";
    claimed: boolean;
    people: string[];
    place: string;
    time: string;
  }[];
}

export interface PlanRevision {
  number: number;
  why: string;
  reason: string;
  changed: string[];
  chapters: { id: string; title: string }[];
  instructions: number[];
  overrides: { finding: string; reason: string }[];
  by: string;
  at: number;
}

export interface Person {
  id: string;
  name: string;
  aliases: string[];
  card: string;
  role: string;
  motive: string;
  arc: string;
  choices: string[];
  states: { aspect: string; value: string; at: Place | null }[];
}

export interface Foreshadow {
  id: string;
  what: string;
  required: boolean;
  state: "planned" | "planted" | "resolved" | "dropped";
  plant: string;
  resolve: string;
  planted: Place | null;
  resolved: Place | null;
}

export interface Instruction {
  id: string;
  sequence: number;
  message: string;
  text: string;
  source: "creation" | "instruction" | "clarification" | "withdrawal";
  answers: number | null;
  by: string;
  at: number;
  during: number | null;
  state: "pending" | "applied" | "superseded" | "blocked";
  /** Whether what is still to be written keeps to it. */
  in_force: boolean;
  /** How it may be answered now. */
  may: ("clarification" | "withdrawal")[];
  takes: { when: "after_unit" | "on_update" | "on_resume" | "next"; unit?: number } | null;
  outcome: {
    note: string;
    revision: number;
    effective: { chapter: string; title: string } | null;
    superseded_by: number | null;
    first: Place | null;
  } | null;
  conflict: { reason: string; places: Place[]; solved_by: number | null } | null;
  answered: number[];
  /** The later one that took its place after it was applied. */
  replaced_by: number | null;
}

export interface Work {
  kind: "outline-create" | "outline-revise" | "write-unit" | "chapter-complete" | "finish";
  why: string;
  sent: number;
  at: number;
  chapter: { id: string; title: string } | null;
  unit: {
    id: string;
    number: number;
    part: number;
    low: number;
    high: number;
    state: string;
    author: string;
    tries: number;
  } | null;
  scene: string;
}

export interface Control {
  can: boolean;
  why: string;
  shown: boolean;
  /** Whether it is what helps now. */
  helps: boolean;
}

export type ControlName =
  | "instruct"
  | "pause"
  | "stop"
  | "resume"
  | "update"
  | "approve"
  | "free"
  | "configure"
  | "export";

/** What a person may change; a length, a maximum or a limit of tokens may be none. */
export interface Config {
  length: number | null;
  /** A part of the length. */
  tolerance: number;
  hard_maximum: number | null;
  unit_maximum: number;
  /** Told as long as it can be changed. */
  chapters?: number | null;
  limits: Record<string, number | null>;
}

export interface LedgerPage {
  instructions: Instruction[];
  earlier: number | null;
}

export interface Desk {
  revision: number;
  now: number;
  title: string;
  language: string;
  content: number;
  story: Record<"premise" | "theme" | "conflict" | "ending" | "view" | "style", string> | null;
  outline: { revision: number; approved: number; approval: string; latest: PlanRevision | null };
  chapters: ChapterLine[];
  run: {
    status: "active" | "paused" | "completed";
    phase: string;
    pause: { reason: string; title: string; told: string; todo: string; at: number } | null;
    work: Work | null;
  };
  author: string;
  length: {
    written: number;
    punctuated: number;
    policy: number;
    target: {
      characters: number;
      low: number;
      high: number;
      hard: number | null;
      left_low: number;
      left_high: number;
      left_hard: number | null;
    } | null;
  };
  config: Config;
  spent: { what: string; used: number; most: number | null }[];
  assets: {
    id: string;
    kind: "card" | "book";
    name: string;
    file: string;
    form: string;
    entries: number;
    within: string;
    digest: string;
  }[];
  ledger: LedgerPage;
  open: number;
  controls: Record<ControlName, Control>;
}

export interface Piece {
  commit: string;
  scene: string;
  part: number;
  characters: number;
  author: string;
  at: number;
  paragraphs: string[];
}

export interface ProsePart {
  chapter: string;
  title: string;
  units: Piece[];
  all: number;
  next: number | null;
}

export interface Receipt {
  id: string;
  sequence: number;
  revision: string;
  at: number;
}

/** One thing of a configuration as a form holds it. */
export interface Field {
  name: string;
  /** "" is none. */
  value: string;
  limit: boolean;
  /** Whether it may be none. */
  open: boolean;
}

export interface Changes extends Record<string, unknown> {
  limits?: Record<string, number | null>;
}

const OPEN = new Set(["length", "hard_maximum", "chapters", "tokens"]);

/** A configuration as a form shows it; the tolerance as a percentage. */
export function fields(config: Config): Field[] {
  const { limits, ...rest } = config;
  const field = (name: string, value: number | null | undefined, limit: boolean): Field => {
    const shown = name === "tolerance" && typeof value === "number" ? Math.round(value * 10_000) / 100 : value;
    return { name, value: shown === null || shown === undefined ? "" : String(shown), limit, open: OPEN.has(name) };
  };
  return [
    ...Object.entries(rest).map(([name, value]) => field(name, value, false)),
    ...Object.entries(limits).map(([name, value]) => field(name, value, true)),
  ];
}

/** What was changed in a form, as the kernel is told it. */
export function changes(before: readonly Field[], written: Readonly<Record<string, string>>): Changes {
  const told: Changes = {};
  for (const { name, value, limit } of before) {
    const text = written[name]?.trim();
    if (text === undefined || text === value) continue;
    const number = text === "" ? null : Number(text) / (name === "tolerance" ? 100 : 1);
    if (limit) told.limits = { ...told.limits, [name]: number };
    else told[name] = number;
  }
  return told;
}

/** The ledger with an older page at its end: each instruction once, newest first. */
export function joined(known: readonly Instruction[], page: readonly Instruction[]): Instruction[] {
  const found = new Map([...known, ...page].map((item) => [item.id, item]));
  for (const item of known) found.set(item.id, item);
  return [...found.values()].sort((one, other) => other.sequence - one.sequence);
}

/** The chapter to show: the one that was chosen while it is there, else the last that has prose, else the first. */
export function shownChapter(chosen: string, chapters: readonly ChapterLine[]): string {
  if (chapters.some((item) => item.id === chosen)) return chosen;
  return (chapters.findLast((item) => item.pieces > 0) ?? chapters[0])?.id ?? "";
}

/** How a paragraph is named in the page. */
export function placeName(place: { commit: string; paragraph: number }): string {
  return `${place.commit}:${place.paragraph}`;
}
