// What the kernel tells of a history.

export interface Look {
  since?: number;
  until?: number;
  actors?: string[];
  causes?: string[];
  lines?: "all" | "work" | "drafts";
  text?: string;
  touches?: string;
  fold?: boolean;
  opened?: number[];
}

export interface Overview {
  /** changes whenever anything of the history does */
  stamp: string;
  rows: number;
  /** revisions that go through the filters, those in folded runs included */
  shown: number;
  all: number;
  /** lanes right and left of the trunk */
  right: number;
  left: number;
  head: string;
  newest: number;
  first_at: number;
  last_at: number;
  actors: [kind: string, name: string, count: number][];
  causes: [cause: string, count: number][];
  drafts: number;
  places: Record<string, number | null>;
  title: string;
}

export type Mark =
  | { kind: "draft"; id: string; state: string; words: string }
  | { kind: "proposal"; id: string; state: string; words: string }
  | { kind: "saved"; id: string; words: string; by: string }
  | {
      kind: "verdict";
      id: string;
      proposal: string;
      by: string;
      verdict: string;
      mode: string;
      left_out: number | null;
    };

export interface Run {
  /** its oldest revision names it */
  first: string;
  count: number;
  oldest: string;
  /** the revision before its oldest */
  before: string | null;
  from: number;
}

export interface Row {
  id: string;
  /** the draft; "" is the working line */
  line: string;
  lane: number;
  at: number;
  kind: "person" | "agent" | "kit";
  who: string;
  cause: string;
  message: string;
  changes: number;
  marks: Mark[];
  /** the revision whose content it copied */
  from?: string;
  damage?: "unreadable" | "missing";
  head?: boolean;
  run?: Run;
}

/** heights in half rows: row i is at 2 i */
export type Edge = [
  kind: "trunk" | "branch" | "fork" | "merge" | "copy",
  lane: number,
  top: number,
  bottom: number,
  topLane: number,
  bottomLane: number,
  dashed: 0 | 1,
  branch: string,
];

export interface Page {
  stamp: string;
  start: number;
  rows: Row[];
  edges: Edge[];
}

export interface Fault {
  kind: "facts" | "changes" | "content";
  units?: string[];
}

interface LeftOut {
  part: string;
  words: string;
  reason: string;
  because: string;
}

export interface VerdictFacts {
  id: string;
  verdict: string;
  mode: string;
  by: string;
  key: string;
  at: number;
  reason: string;
  compared: string;
  result: string | null;
  valid: boolean;
  left_out: LeftOut[];
  left_out_count: number;
}

export interface Facts {
  id: string;
  line: string;
  at: number;
  kind: Row["kind"];
  who: string;
  cause: string;
  message: string;
  changes: number;
  parent: string | null;
  from: string | null;
  digest: string;
  chain: string;
  damage: "" | "unreadable" | "missing";
  faults: Fault[];
  marks: Mark[];
  draft: {
    id: string;
    title: string;
    state: string;
    base: string;
    who: string;
    from_proposal: string | null;
  } | null;
  proposals: {
    id: string;
    state: string;
    summary: string;
    draft: string;
    frozen: string;
    verdicts: VerdictFacts[];
  }[];
}

export interface UnitWords {
  unit: string;
  title: string;
  sentences: string[];
  count: number;
  start?: number;
  before?: boolean;
  after?: boolean;
}

export interface DifferencePage {
  before: string;
  after: string;
  changes: number;
  total: number;
  units: UnitWords[];
}

export interface Preview {
  head: string;
  same: boolean;
  changes: number;
  units: UnitWords[];
  units_total: number;
  locked: { name: string; reason: string; by: string }[];
}

export interface Restoring extends Preview {
  revision: string;
  owner: string;
  working: boolean;
}

export interface Picking extends Preview {
  comes: string[];
  goes: string[];
}

export interface Pickable {
  thing: string;
  unit: string;
  whole: boolean;
  title: string;
  name: string;
  words: string;
  more: number;
  /** it is not in the work any more */
  gone: boolean;
  /** why it cannot be picked by itself */
  refused: string;
}

export interface Differing {
  revision: string;
  head: string;
  owner: string;
  total: number;
  things: Pickable[];
  newer: number;
}

export interface Steps {
  head: string;
  undo: string | null;
  redo: string | null;
  owner: string;
}

/** 41 of "r41" */
export function numberOf(revision: string): number {
  return Number(revision.slice(1)) || 0;
}
