// Annotations and findings, asked for when they may have changed.
import { useCallback, useEffect, useState } from "preact/hooks";
import { isAbort, type Link } from "../link.ts";
import { chosen, type Note } from "../notes/note.ts";
import type { Finding } from "./marks.ts";

const NO_NOTES: Note[] = [];
const NO_FINDINGS: Finding[] = [];

/** The annotations that are not settled, against the work as it is; `stamp` changes when they did. */
export function useNotes(link: Link, wanted: boolean, stamp: string, revision: string) {
  const [list, setList] = useState<Note[]>(NO_NOTES);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!wanted) return;
    const leaving = new AbortController();
    link
      .ask<{ notes: Note[] }>("notes", {}, { signal: leaving.signal })
      .then(({ data }) => setList(chosen(data.notes, "unsettled")))
      .catch((error: unknown) => {
        if (!isAbort(error)) setList(NO_NOTES);
      });
    return () => leaving.abort();
  }, [link, wanted, stamp, revision, turn]);
  const again = useCallback(() => setTurn((now) => now + 1), []);
  return { list, again };
}

/** What the checks find on some units, by ids joined with commas. */
export function useFindings(link: Link, wanted: boolean, source: string, units: string, revision: string) {
  const [list, setList] = useState<Finding[]>(NO_FINDINGS);
  useEffect(() => {
    if (!wanted || units === "") {
      setList(NO_FINDINGS);
      return;
    }
    const leaving = new AbortController();
    const args = { source, units: units.split(",").slice(0, 12) };
    link
      .ask<{ findings: Finding[] }>("findings", args, { signal: leaving.signal })
      .then(({ data }) => setList(data.findings))
      .catch((error: unknown) => {
        if (!isAbort(error)) setList(NO_FINDINGS);
      });
    return () => leaving.abort();
  }, [link, wanted, source, units, revision]);
  return { list };
}
