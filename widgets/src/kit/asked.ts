// What a part asks the kernel for: facts, again whenever the question is another, and deeds.
import { useEffect, useMemo, useState } from "preact/hooks";
import { isAbort } from "../link.ts";
import type { Data, Progress } from "../protocol.ts";
import { useShared } from "../shell.tsx";

/** Aborted when the part goes. */
export function useLife(): AbortSignal {
  const life = useMemo(() => new AbortController(), []);
  useEffect(() => () => life.abort(), [life]);
  return life.signal;
}

export interface Asked<T> {
  data: T | undefined;
  buffers: ArrayBuffer[];
  error: unknown;
  progress: Progress | undefined;
  busy: boolean;
}

// one array for all, so that what depends on it rests
const NOTHING = { data: undefined, buffers: [], error: undefined, progress: undefined, busy: false };

/** The answer to a question; none while `args` is undefined. `again` asks once more when it changes. */
export function useAsked<T>(name: string, args: Data | undefined, again: unknown = "", pause = 0): Asked<T> {
  const { link } = useShared();
  const key = args === undefined ? "" : JSON.stringify(args);
  const [state, setState] = useState<Asked<T> & { key: string }>({ ...NOTHING, key: "" });
  useEffect(() => {
    if (key === "") {
      setState({ ...NOTHING, key });
      return;
    }
    const asking = new AbortController();
    setState((before) => ({
      ...(before.key === key ? before : NOTHING),
      error: undefined,
      progress: undefined,
      busy: true,
      key,
    }));
    const timer = setTimeout(async () => {
      const onProgress = (progress: Progress) => setState((before) => ({ ...before, progress }));
      try {
        const answer = await link.ask<T>(name, JSON.parse(key), { signal: asking.signal, onProgress });
        setState({ ...NOTHING, data: answer.data, buffers: answer.buffers, key });
      } catch (error) {
        if (!isAbort(error)) setState({ ...NOTHING, error, key });
      }
    }, pause);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [link, name, key, again, pause]);
  // what came for another question is no answer to this one
  return state.key === key ? state : { ...NOTHING, busy: key !== "" };
}

/** Something that a person has done by the kernel; what is refused stands in `error` until the next try. */
export function useDeed() {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const run = async (deed: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await deed();
    } catch (thrown) {
      if (!isAbort(thrown)) setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { error, busy, run, forget: () => setError(undefined) };
}
