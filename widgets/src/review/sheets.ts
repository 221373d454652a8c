// Sheets as they are asked for, by source and unit; the last one stays until the next has come.
import { useEffect, useRef, useState } from "preact/hooks";
import { isAbort, type Link, Refused } from "../link.ts";
import { useShared } from "../shell.tsx";
import type { Sheet } from "../viewer/sheet.ts";

const KEPT = 40;

/** null: the unit is not there at that source. undefined: it has not come yet. */
export interface Come {
  sheet: Sheet | null | undefined;
  error: unknown;
}

const known = new WeakMap<Link, Map<string, Sheet>>();

function held(link: Link): Map<string, Sheet> {
  let found = known.get(link);
  if (found === undefined) {
    found = new Map();
    known.set(link, found);
  }
  return found;
}

/** A unit at a source; nothing is asked for where there is none. `again` asks once more for what moves under its name. */
export function useSheet(source: string, unit: string, there: boolean, again: unknown): Come {
  const { link } = useShared();
  const [come, setCome] = useState<Come & { unit: string }>({ sheet: undefined, error: undefined, unit: "" });
  const last = useRef(again);
  useEffect(() => {
    if (!there || source === "" || unit === "") {
      setCome({ sheet: there ? undefined : null, error: undefined, unit });
      return;
    }
    const store = held(link);
    const name = `${source} ${unit}`;
    const fixed = /^(r\d+|taking:.*)$/.test(source);
    const ready = fixed ? store.get(name) : undefined;
    if (ready !== undefined) {
      setCome({ sheet: ready, error: undefined, unit });
      return;
    }
    last.current = again;
    const leaving = new AbortController();
    link.ask<Sheet>("sheet", { source, unit }, { signal: leaving.signal }).then(
      ({ data }) => {
        store.set(name, data);
        for (const old of [...store.keys()].slice(0, -KEPT)) store.delete(old);
        setCome({ sheet: data, error: undefined, unit });
      },
      (error: unknown) => {
        if (isAbort(error)) return;
        const absent =
          error instanceof Refused && error.refusal.code === "not_found" && error.refusal.ids?.[0] === unit;
        setCome({ sheet: absent ? null : undefined, error: absent ? undefined : error, unit });
      },
    );
    return () => leaving.abort();
  }, [link, source, unit, there, again]);
  // another unit's picture is no stand-in for this one
  return come.unit === unit ? come : { sheet: undefined, error: undefined };
}
