// A text to copy, also where the browser gives no clipboard.
import { useRef, useState } from "preact/hooks";
import { useSay, useShared } from "../shell.tsx";
import { WORDS } from "./words.ts";

export function Copy({ text, testid }: { text: string; testid: string }) {
  const say = useSay(WORDS);
  const { announce } = useShared();
  const field = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<"copied" | "copyYourself">();
  const copy = async () => {
    const done = (await written(text)) || byCommand(field.current);
    const said = done ? "copied" : "copyYourself";
    if (!done) field.current?.focus();
    if (!done) field.current?.select();
    setOutcome(said);
    announce(say(said));
  };
  return (
    <div class="lk-page-copy">
      <input
        class="lk-input lk-code"
        readOnly
        ref={field}
        value={text}
        aria-label={say("handle")}
        data-testid={`${testid}-text`}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="button" class="lk-button" data-testid={`${testid}-button`} onClick={() => void copy()}>
        {say("copy")}
      </button>
      {outcome !== undefined && (
        <span class="lk-soft" data-testid={`${testid}-outcome`}>
          {say(outcome)}
        </span>
      )}
    </div>
  );
}

async function written(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function byCommand(field: HTMLInputElement | null): boolean {
  if (!field) return false;
  field.focus();
  field.select();
  try {
    return document.execCommand("copy"); // old, and the only way in frames without the permission
  } catch {
    return false;
  }
}
