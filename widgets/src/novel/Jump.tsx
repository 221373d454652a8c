// A paragraph that something points at: a button that shows it.
import { useSay } from "../shell.tsx";
import type { Place } from "./facts.ts";
import { useStory } from "./shared.ts";
import { WORDS } from "./words.ts";

export function Jump({ place, label, testid }: { place: Place; label?: string; testid: string }) {
  const story = useStory();
  const say = useSay(WORDS);
  const where = say("see_place", { title: place.title, n: place.number });
  return (
    <button
      type="button"
      class="lk-novel-jump"
      data-testid={testid}
      data-place={`${place.commit}:${place.paragraph}`}
      onClick={() => story.jump(place)}
    >
      <span class="lk-novel-link" dir="auto">
        {label ? `${label}: ${where}` : where}
      </span>
      {place.quote && (
        <span class="lk-novel-quote" dir="auto">
          {place.quote}
        </span>
      )}
    </button>
  );
}
