// A long call while it runs: how far it is, what came of it, and a way to stop it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLife } from "../kit/asked.ts";
import { Button, ErrorBox } from "../kit/kit.tsx";
import { isAbort, Refused } from "../link.ts";
import { useSay, useShared } from "../shell.tsx";
import { isRunning, type JobFacts, lasted, progress } from "./facts.ts";
import { WORDS } from "./words.ts";

/** A job's facts, and when this page heard them. */
interface Heard {
  facts: JobFacts;
  at: number;
}

export function JobView() {
  const { link, language, announce } = useShared();
  const say = useSay(WORDS);
  const heard = useSignal<Heard | undefined>(undefined);
  const trouble = useSignal<unknown>(undefined);
  const now = useSignal(performance.now());
  const life = useLife();

  useEffect(() => {
    const hear = (facts: JobFacts) => {
      const before = heard.value;
      heard.value = { facts, at: performance.now() };
      if (before !== undefined && isRunning(before.facts) && !isRunning(facts)) {
        announce(say("ended", { name: facts.name, state: say(facts.state), time: lasted(facts.seconds, say) }));
      }
    };
    const stop = link.on("job", (data) => hear(data as unknown as JobFacts));
    link.ask<JobFacts & Record<string, unknown>>("facts", {}, { signal: life }).then(
      ({ data }) => hear(data),
      (error) => {
        if (!isAbort(error)) trouble.value = error;
      },
    );
    return stop;
  }, [link, life, heard, trouble, announce, say]);

  const live = link.state.value !== "gone";
  const runs = heard.value !== undefined && isRunning(heard.value.facts) && live;
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => {
      now.value = performance.now();
    }, 500);
    return () => clearInterval(timer);
  }, [runs, now]);

  if (heard.value === undefined) return <ErrorBox error={trouble.value} testid="job-trouble" />;
  const { facts, at } = heard.value;
  const { name, state, done, total, stoppable, gave, error } = facts;
  const running = isRunning(facts);
  const since = runs ? Math.max(0, now.value - at) / 1_000 : 0;
  const far = running || state === "stopped" ? progress(facts, language, say) : "";
  const words = [say(state), far, lasted(facts.seconds + since, say)].filter(Boolean).join(" · ");

  const stop = () => {
    trouble.value = undefined;
    link.ask("stop").catch((thrown) => {
      if (!isAbort(thrown)) trouble.value = thrown;
    });
  };

  return (
    <section class="lk-job" aria-label={say("title", { name })} data-testid="job" data-state={state}>
      <div class="lk-bar">
        <strong class="lk-job-name">{name}</strong>
        {running && <Bar words={words} done={done} total={total} />}
        <span data-testid="job-words" class={`lk-job-${state}`}>
          {words}
        </span>
        {running && stoppable && (
          <Button asks tone="danger" data-testid="job-stop" disabled={state === "stopping"} onClick={stop}>
            {say("stop")}
          </Button>
        )}
      </div>
      {running && !stoppable && (
        <p class="lk-soft" data-testid="job-steady">
          {say("steady")}
        </p>
      )}
      {gave !== "" && (
        <p class="lk-soft" data-testid="job-gave">
          {say("gave", { what: gave })}
        </p>
      )}
      {state === "failed" && error !== null && <ErrorBox error={new Refused(error)} testid="job-error" />}
      <ErrorBox error={trouble.value} testid="job-trouble" />
    </section>
  );
}

function Bar({ words, done, total }: { words: string; done: number; total: number }) {
  const known = total > 0 ? { value: Math.min(done, total), max: total } : {};
  return <progress {...known} aria-label={words} data-testid="job-bar" />;
}
