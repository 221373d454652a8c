// What a person should know of a single part before taking it.
import type { Facts, Outcome, Part } from "./facts.ts";

export interface Flag {
  sort: "isLocked" | "conflicting" | "hasFault" | "touched";
  by: string;
}

/** Flags by part; a part that is left out brings no faults and meets no locks. */
export function flagsOf(facts: Facts, outcome: Outcome | undefined): ReadonlyMap<string, Flag[]> {
  const faults = outcome?.faults ?? facts.faults;
  const faulty = new Set(faults.filter((item) => item.state === "new").map((item) => item.object));
  const locks = new Map((outcome?.locks ?? []).map((item) => [item.object, item.by]));
  const touched = new Map(facts.touches.map((item) => [item.object, item.by]));
  const met = new Set((outcome?.conflicts ?? []).map((item) => nameOf(item.object, item.property)));
  const out = new Set((outcome?.rejected ?? []).map((item) => item.id));
  const found = new Map<string, Flag[]>();
  for (const part of facts.parts) {
    const flags: Flag[] = [];
    const locked = locks.get(part.object) ?? locks.get(part.unit) ?? locks.get(facts.chapter);
    if (!out.has(part.id)) {
      if (locked !== undefined) flags.push({ sort: "isLocked", by: locked });
      if (met.has(part.object) || met.has(part.id)) flags.push({ sort: "conflicting", by: "" });
      if (faulty.has(part.object) && brings(part)) flags.push({ sort: "hasFault", by: "" });
    }
    const by = touched.get(part.object);
    if (by !== undefined && part.change !== "added") flags.push({ sort: "touched", by });
    if (flags.length > 0) found.set(part.id, flags);
  }
  return found;
}

function nameOf(object: string, property: string): string {
  return property === "" ? object : `${object}.${property}`;
}

function brings(part: Part): boolean {
  return part.change !== "removed";
}
