// What all dialogs of going back show: what would change, and their buttons.
import type { ComponentChildren } from "preact";
import { Button } from "../kit/kit.tsx";
import { useSay } from "../shell.tsx";
import { UnitList } from "./Difference.tsx";
import type { Preview } from "./shapes.ts";
import { WORDS } from "./words.ts";

export function Buttons(props: { children: ComponentChildren; owner: string; onClose: () => void; closing: string }) {
  const say = useSay(WORDS);
  return (
    <div class="lk-bar lk-history-buttons">
      {props.children}
      <Button data-testid="history-cancel" onClick={props.onClose}>
        {props.closing}
      </Button>
      {props.owner !== "" && <span class="lk-soft">{say("as", { who: props.owner })}</span>}
    </div>
  );
}

/** What would change, and what of it agents are kept from. */
export function Told({ preview }: { preview: Preview }) {
  const say = useSay(WORDS);
  const more = preview.units_total - preview.units.length;
  return (
    <>
      <div class="lk-history-preview" data-testid="history-preview">
        <UnitList units={preview.units} />
        {more > 0 && <p class="lk-soft">{say("more", { n: more })}</p>}
      </div>
      {preview.locked.map((lock) => (
        <p key={lock.name} class="lk-warning" data-testid="history-locked">
          {say(lock.reason === "" ? "lockedPlain" : "locked", lock)}
        </p>
      ))}
    </>
  );
}
