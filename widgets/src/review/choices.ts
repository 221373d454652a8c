// What a person leaves out and why: kept with the notebook, as small as it can be.
import type { Part } from "./facts.ts";

/** Reasons, maybe empty, by the id of a part that was left out by the person. */
export type Choices = Readonly<Record<string, string>>;

/** Characters of a reason for a part, and of one for a verdict. */
export const REASON = { part: 400, verdict: 1_000 } as const;
/** Bytes of choices that are kept with a notebook. */
export const ROOM = 20_000;

/** As it is kept: ids by their common reason. */
export interface Kept {
  proposal: string;
  left: [reason: string, ids: string[]][];
  /** the reasons were too long to be kept */
  bare?: boolean;
}

export function pack(proposal: string, choices: Choices): Kept {
  const byReason = new Map<string, string[]>();
  for (const [id, reason] of Object.entries(choices)) byReason.set(reason, [...(byReason.get(reason) ?? []), id]);
  const whole: Kept = { proposal, left: [...byReason] };
  if (size(whole) <= ROOM) return whole;
  const bare: Kept = { proposal, left: [["", Object.keys(choices)]], bare: true };
  return size(bare) <= ROOM ? bare : { proposal, left: [], bare: true };
}

function size(kept: Kept): number {
  return new TextEncoder().encode(JSON.stringify(kept)).length;
}

/** The choices that were kept for a proposal, without what is no part of it; `lost` counts those. */
export function unpack(kept: unknown, proposal: string, parts: readonly Part[]): { choices: Choices; lost: number } {
  const found = kept as Partial<Kept> | undefined;
  if (found?.proposal !== proposal || !Array.isArray(found.left)) return { choices: {}, lost: 0 };
  const known = new Set(parts.map((part) => part.id));
  const entries = found.left.flatMap(([reason, ids]) => ids.map((id) => [id, String(reason)] as const));
  const there = entries.filter(([id]) => known.has(id));
  return { choices: Object.fromEntries(there), lost: entries.length - there.length };
}

/** Leave parts out, or take them again; what was left out before keeps its reason. */
export function chosen(choices: Choices, ids: readonly string[], take: boolean): Choices {
  const next: Record<string, string> = { ...choices };
  for (const id of ids) {
    if (take) delete next[id];
    else next[id] ??= "";
  }
  return next;
}

/** Give some of the parts that are left out a reason. */
export function because(choices: Choices, ids: readonly string[], reason: string): Choices {
  const next: Record<string, string> = { ...choices };
  for (const id of ids) if (id in next) next[id] = reason;
  return next;
}

/** Reasons that cannot be kept. */
export function tooLong(choices: Choices): string[] {
  return Object.keys(choices).filter((id) => [...(choices[id] as string)].length > REASON.part);
}

export interface Filter {
  words: string;
  /** "" is all */
  change: string;
  /** only what is left out */
  out: boolean;
}

export const NO_FILTER: Filter = { words: "", change: "", out: false };

/** Kinds of change as people tell them apart. */
export function sort(part: Part): "added" | "removed" | "changed" {
  if (part.change === "added" || part.change === "removed") return part.change;
  return "changed";
}

export function passes(part: Part, filter: Filter, out: ReadonlySet<string>): boolean {
  if (filter.change !== "" && sort(part) !== filter.change) return false;
  if (filter.out && !out.has(part.id)) return false;
  const words = filter.words.trim().toLowerCase();
  return words === "" || `${part.words} ${part.name} ${part.id}`.toLowerCase().includes(words);
}
