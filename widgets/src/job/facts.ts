// What the kernel says of a job.
import type { Refusal } from "../protocol.ts";
import type { Language, Say } from "../words.ts";
import type { WORDS } from "./words.ts";

export interface JobFacts {
  name: string;
  state: "running" | "stopping" | "done" | "failed" | "stopped";
  /** what it works on: English, Chinese */
  what: readonly [en: string, zh: string];
  done: number;
  /** 0 where that is not known */
  total: number;
  seconds: number;
  stoppable: boolean;
  gave: string;
  error: Refusal | null;
}

export function isRunning(facts: JobFacts): boolean {
  return facts.state === "running" || facts.state === "stopping";
}

/** How long, to the second. */
export function lasted(seconds: number, say: Say<typeof WORDS>): string {
  const whole = Math.floor(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (h > 0) return say("hours", { h, m });
  return m > 0 ? say("minutes", { m, s }) : say("seconds", { s });
}

/** What it works on and how far it is; nothing where neither is known. */
export function progress(facts: JobFacts, language: Language, say: Say<typeof WORDS>): string {
  const { what, done, total } = facts;
  const number = (count: number) => count.toLocaleString("en");
  const far = total > 0 ? say("far", { done: number(done), total: number(total) }) : "";
  return [what[language === "zh" ? 1 : 0], far].filter(Boolean).join(" · ");
}
