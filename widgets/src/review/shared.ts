// What all parts of a review hold: the case before the person, and small ways of saying things.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { useSay } from "../shell.tsx";
import type { Case } from "./case.ts";
import { WORDS } from "./words.ts";

const Here = createContext<Case | undefined>(undefined);
export const CaseProvider = Here.Provider;

export function useCase(): Case {
  const found = useContext(Here);
  if (found === undefined) throw new Error("outside of a review");
  return found;
}

export function useWords() {
  return useSay(WORDS);
}

export type Words = ReturnType<typeof useWords>;

/** A moment in UTC, to the minute. */
export function when(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export function revisionOf(number: number): string {
  return `r${number}`;
}

const HINTS = {
  moved: "hintMoved",
  damaged: "hintDamaged",
  missing: "hintMissing",
  reasons: "hintReasons",
  locked: "hintLocked",
  nothing: "hintNothing",
} as const;

/** What stands in the way of a verdict, in a few words; "" when nothing does, or it passes by itself. */
export function hintOf(hindrance: string, say: Words): string {
  const key = HINTS[hindrance as keyof typeof HINTS];
  return key === undefined ? "" : say(key);
}
