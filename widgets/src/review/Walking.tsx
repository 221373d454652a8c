// The regions of a page that look different: their marks, and stepping from one to the next.
import { useEffect, useMemo } from "preact/hooks";
import { useAsked } from "../kit/asked.ts";
import { Button } from "../kit/kit.tsx";
import { useShared } from "../shell.tsx";
import type { Mark } from "../viewer/sheet.ts";
import type { ViewerHandle } from "../viewer/Viewer.tsx";
import type { Case } from "./case.ts";
import type { Facts } from "./facts.ts";
import type { Sides } from "./marks.ts";
import { useCase, useWords } from "./shared.ts";
import { marksOfRegions, namesOf, type Region, type Regions, wholly } from "./walk.ts";

/** The marks of the regions that look different, when they are wanted; flies to the one that one steps to. */
export function useRegions(
  about: Case,
  facts: Facts,
  unit: string,
  source: string,
  sides: Sides,
  viewer: { current: ViewerHandle | null },
): Mark[] | undefined {
  const say = useWords();
  const { announce } = useShared();
  const { walk } = about.look;
  const { before, after } = sides;
  const wanted = walk.shown.value;
  const both = Boolean(before && after);
  const asked = wanted && both ? { against: `r${facts.before}`, source, unit } : undefined;
  const { data } = useAsked<Regions>("regions", asked);
  useEffect(() => walk.forget(), [walk, unit, source]);
  useEffect(() => {
    const lone = before === null ? after : after === null ? before : undefined;
    if (!wanted) return;
    if (data !== undefined) walk.come(data);
    else if (lone && lone.unit === unit) walk.come(wholly(lone));
  }, [walk, wanted, data, before, after, unit]);
  const at = walk.at.value;
  const found = walk.found.value;
  const label = useMemo(
    () => (region: Region) => {
      const names = namesOf(region, [after, before]);
      return names === "" ? say("region", { n: region.n }) : say("regionWith", { n: region.n, names });
    },
    [say, before, after],
  );
  useEffect(() => {
    const region = found?.regions.find((item) => item.n === at);
    if (region === undefined) return;
    viewer.current?.flyTo(region.box, unit);
    announce(`${label(region)}, ${say("regionOf", { at, all: found?.regions.length ?? 0 })}`);
  }, [at, found, label, unit, viewer, announce, say]);
  return useMemo(() => {
    if (found === undefined) return undefined;
    return marksOfRegions(found.regions, at, label, (n) => walk.go(n), both);
  }, [walk, found, at, label, both]);
}

/** Whether regions are marked, and the way from one to the next. */
export function Walking() {
  const say = useWords();
  const { walk } = useCase().look;
  const found = walk.found.value;
  const step = (by: -1 | 1, sign: string, name: "previousRegion" | "nextRegion") => (
    <Button
      aria-label={say(name)}
      title={say(name)}
      data-testid={by < 0 ? "review-region-previous" : "review-region-next"}
      onClick={() => walk.leap(by)}
    >
      {sign}
    </Button>
  );
  return (
    <span class="lk-review-pages lk-review-walk" data-testid="review-walk" data-at={walk.at.value}>
      <label title={say("regionsHint")}>
        <input
          type="checkbox"
          checked={walk.shown.value}
          data-testid="review-regions"
          onInput={(event) => walk.show(event.currentTarget.checked)}
        />
        {say("regions")}
      </label>
      {step(-1, "‹", "previousRegion")}
      {step(1, "›", "nextRegion")}
      {found !== undefined && (
        <span class="lk-soft" data-testid="review-regions-said">
          {told(found, walk.at.value, say)}
        </span>
      )}
    </span>
  );
}

function told(found: Regions, at: number, say: ReturnType<typeof useWords>): string {
  const count = found.regions.length;
  if (count === 0) return say("regionNone");
  const share = Math.max(0.1, Math.round(found.changed * 1000) / 10);
  const parts = at > 0 ? [say("regionOf", { at, all: count })] : [say("regionsAll", { n: count, share })];
  if (found.more > 0) parts.push(say("regionMore", { n: found.more }));
  return parts.join(", ");
}
