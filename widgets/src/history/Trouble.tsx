// What the kernel refused, in words that help here.
import { Button, ErrorBox } from "../kit/kit.tsx";
import { Refused } from "../link.ts";
import { useSay } from "../shell.tsx";
import { word } from "./saying.ts";
import { WORDS } from "./words.ts";

interface Since {
  revision: string;
  actor: string;
  cause: string;
  message: string;
}

/** An error; a work that moved on is told with what happened, and `onAgain` looks again. */
export function Trouble(props: { error: unknown; onAgain?: () => void; testid?: string }) {
  const { error, onAgain, testid = "history-error" } = props;
  const say = useSay(WORDS);
  if (!(error instanceof Refused)) return <ErrorBox error={error} testid={testid} />;
  const { code } = error.refusal;
  if (code === "stale_head") {
    const more = error.refusal as unknown as { current_revision?: string; since?: Since[] };
    return (
      <div class="lk-warning" role="alert" data-testid={testid} data-code={code}>
        <p>{say("stale", { head: more.current_revision ?? "?" })}</p>
        <ul>
          {(more.since ?? []).map((item) => (
            <li key={item.revision}>
              {say("staleSince", {
                id: item.revision,
                cause: word(say, "cause", item.cause),
                who: item.actor,
                message: item.message === "" ? "" : ` · ${item.message}`,
              })}
            </li>
          ))}
        </ul>
        {onAgain !== undefined && (
          <Button asks data-testid="history-again" onClick={onAgain}>
            {say("again")}
          </Button>
        )}
      </div>
    );
  }
  return (
    <>
      {code === "corrupt" && <p class="lk-warning">{say("corrupt")}</p>}
      <ErrorBox error={error} testid={testid} />
      {onAgain !== undefined && (
        <Button asks data-testid="history-again" onClick={onAgain}>
          {say("again")}
        </Button>
      )}
    </>
  );
}
