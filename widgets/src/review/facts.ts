// What the kernel tells of a proposal, of an outcome, of keys and of the workspace.
import { Refused } from "../link.ts";
import type { Data, Refusal } from "../protocol.ts";

export interface Part {
  id: string;
  unit: string;
  object: string;
  kind: string;
  change: "added" | "removed" | "moved" | "replaced" | "changed" | "turned";
  /** what people call the object; "" for a unit or the chapter */
  name: string;
  words: string;
  /** parts that it is taken with only */
  needs: string[];
}

export interface UnitFacts {
  unit: string;
  /** "" is the chapter itself */
  title: string;
  before: boolean;
  after: boolean;
  moved: boolean;
}

export interface Fault {
  state: "new" | "healed";
  rule: string;
  severity: "error" | "warning" | "note";
  unit: string;
  title: string;
  object: string;
  name: string;
  message: string;
}

interface Touch {
  unit: string;
  title: string;
  object: string;
  name: string;
  properties: string[];
  by: string;
  at: number;
  revision: string;
  message: string;
}

export interface Verdict {
  id: string;
  verdict: "apply" | "keep" | "discard";
  mode: string;
  reviewer: string;
  key: string;
  demo: boolean;
  at: number;
  compared: number;
  result: number | null;
  saved: string;
  content: string;
  reason: string;
  /** why it does not count; "" when it does */
  objection: string;
  rejected: { id: string; title: string; words: string; reason: string; because: string }[];
}

export interface Stored {
  id: string;
  unit: string;
  title: string;
  object: string;
  property: string;
  name: string;
  ours: string[];
  theirs: string[];
  state: "open" | "ours" | "theirs";
  standing: "" | "kept" | "theirs" | "changed" | "gone";
  would: string[];
  against: string;
  by: string;
  at: number | null;
  made: number | null;
}

export interface Facts {
  proposal: string;
  state: "pending" | "kept" | "applied" | "discarded" | "superseded";
  chapter: string;
  work: string;
  agent: string;
  draft: string;
  summary: string;
  frozen_at: number;
  decided_at: number | null;
  base: number;
  frozen: number;
  before: number;
  compared: number;
  contract: { places: string[]; only: string[] };
  answers: { id: string; state: string; body: string }[];
  /** what waited beside its draft when it was frozen, and is no part of it */
  beside: { id: string; task: string; agent: string; state: "waiting" | "stale" | "adopted" | "dropped" }[];
  units: UnitFacts[];
  parts: Part[];
  touches: Touch[];
  more_touches: number;
  faults: Fault[];
  verdicts: Verdict[];
  conflicts: Stored[];
  /** the proposal that took its place, when it was superseded */
  successor: string;
  next: { proposal: string; agent: string; summary: string; waiting: number } | null;
}

export type Way = "merge" | "overwrite";

export interface Met {
  unit: string;
  title: string;
  object: string;
  property: string;
  name: string;
  ours: string[];
  theirs: string[];
}

export interface Lock {
  object: string;
  unit: string;
  title: string;
  name: string;
  by: string;
  at: number;
  reason: string;
}

export interface Outcome {
  source: string;
  compared: number;
  mode: "plain" | Way;
  modes: ("plain" | Way)[];
  rejected: { id: string; because: string }[];
  left: number;
  changes: number;
  units: string[];
  overwrites: { unit: string; title: string }[];
  overwritten: {
    unit: string;
    title: string;
    sentences: string[];
    by: { by: string; revision: string; message: string; at: number }[];
  }[];
  conflicts: Met[];
  locks: Lock[];
  faults: Fault[];
  refused: Refusal | null;
}

interface Step {
  revision: string;
  by: string;
  cause: string;
  message: string;
  at: number;
  units: string[];
}

export interface Standing {
  state: Facts["state"];
  verdicts: number;
  head: number;
  since: Step[];
  /** whether the verdict of the ticket that was named was given */
  given: boolean;
}

export interface Keys {
  mine: { key: string; name: string; demo: boolean }[];
  /** id of the key that is unlocked; "" for none */
  held: string;
  /** seconds until it is forgotten */
  left: number;
  missing?: Refusal;
}

export interface Damage {
  kind: string;
  id: string;
  message: string;
  where: string;
  remedy: string;
}

export interface Sound {
  clean: boolean;
  damages: Damage[];
  count: number;
}

/** What a refusal says beside its words. */
export function detail<T>(refusal: Refusal, name: string): T | undefined {
  return (refusal as unknown as Data)[name] as T | undefined;
}

export function undecided(facts: Facts): boolean {
  return facts.state === "pending" || facts.state === "kept";
}

/** Whether the kernel says that nothing of a proposal would be left. */
export function isNothing(error: unknown): boolean {
  return error instanceof Refused && error.refusal.code === "bad_input";
}
