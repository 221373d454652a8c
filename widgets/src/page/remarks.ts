// Annotations and findings, asked for when they may have changed.
import { useCallback, useMemo, useState } from "preact/hooks";
import { useAsked } from "../kit/asked.ts";
import { chosen, type Note } from "../notes/note.ts";
import type { Finding } from "./marks.ts";

/** The annotations that are not settled, against the work as it is; `stamp` changes when they did. */
export function useNotes(stamp: string, revision: string) {
  const [turn, setTurn] = useState(0);
  const { data } = useAsked<{ notes: Note[] }>("notes", {}, `${stamp} ${revision} ${turn}`);
  const list = useMemo(() => chosen(data?.notes ?? [], "unsettled"), [data]);
  const again = useCallback(() => setTurn((now) => now + 1), []);
  return { list, again };
}

/** What the checks find on some units; undefined while that is not known. */
export function useFindings(wanted: boolean, source: string, units: readonly string[], revision: string) {
  const args = wanted && units.length > 0 ? { source, units: units.slice(0, 12) } : undefined;
  return useAsked<{ findings: Finding[] }>("findings", args, revision).data?.findings;
}
