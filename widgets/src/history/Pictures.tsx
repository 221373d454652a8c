// Small pictures of the pages that differ, before and after.
import { useEffect, useMemo, useState } from "preact/hooks";
import { useAsked } from "../kit/asked.ts";
import { Button } from "../kit/kit.tsx";
import { useUrls } from "../kit/pictures.ts";
import { useSay } from "../shell.tsx";
import type { UnitWords } from "./shapes.ts";
import { WORDS } from "./words.ts";

const SHOWN = 4;
const MOST = 24;
const EDGE = 200;

interface PicturesProps {
  before: string;
  after: string;
  units: readonly UnitWords[];
  onChoose?: (unit: string) => void;
}

export function Pictures({ before, after, units, onChoose }: PicturesProps) {
  const say = useSay(WORDS);
  const [shown, setShown] = useState(SHOWN);
  useEffect(() => setShown(SHOWN), [before, after]);
  // the chapter's own facts have no page
  const pages = units.filter((unit) => unit.before || unit.after);
  const some = pages.slice(0, shown);
  const old = useThumbs(
    before,
    some.filter((unit) => unit.before).map((unit) => unit.unit),
  );
  const fresh = useThumbs(
    after,
    some.filter((unit) => unit.after).map((unit) => unit.unit),
  );
  if (some.length === 0) return null;
  const side = (unit: UnitWords, which: "before" | "after") => {
    const url = (which === "before" ? old : fresh).get(unit.unit);
    const words = `${unit.title}, ${say(which)}`;
    const there = which === "before" ? unit.before : unit.after;
    return (
      <figure>
        {url ? (
          <img src={url} alt={words} />
        ) : (
          <span class="lk-history-blank lk-soft">
            {there ? (url === "" ? say("noPicture") : "…") : say("notThere")}
          </span>
        )}
        <figcaption class="lk-soft">{say(which)}</figcaption>
      </figure>
    );
  };
  return (
    <div class="lk-history-pictures" data-testid="history-pictures">
      {some.map((unit) => (
        <div key={unit.unit} class="lk-history-pair" data-unit={unit.unit}>
          {onChoose === undefined ? (
            <span>{unit.title}</span>
          ) : (
            <button type="button" class="lk-history-link" onClick={() => onChoose(unit.unit)}>
              {unit.title}
            </button>
          )}
          <div>
            {side(unit, "before")}
            {side(unit, "after")}
          </div>
        </div>
      ))}
      {pages.length > shown && shown < MOST && (
        <Button asks onClick={() => setShown(Math.min(MOST, shown + 8))} data-testid="history-more-pictures">
          {say("morePages", { n: Math.min(MOST, shown + 8, pages.length) - shown })}
        </Button>
      )}
    </div>
  );
}

/** Pictures of some units at one source, as object URLs; "" of those that cannot be drawn. */
function useThumbs(source: string, units: string[]): ReadonlyMap<string, string> {
  const args = units.length === 0 ? undefined : { source, units, edge: EDGE };
  const { buffers, error } = useAsked("thumbs", args);
  const urls = useUrls(buffers);
  return useMemo(() => {
    if (error !== undefined) return new Map(units.map((unit) => [unit, ""]));
    return urls.length === units.length ? new Map(units.map((unit, at) => [unit, urls[at] ?? ""])) : new Map();
  }, [urls, error, units.join()]);
}
