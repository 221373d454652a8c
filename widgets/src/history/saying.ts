// Sentences about rows and marks, out of the words.

import { exact } from "../kit/time.ts";
import type { Language, Say } from "../words.ts";
import type { Mark, Row } from "./shapes.ts";
import { WORDS } from "./words.ts";

export type SayHistory = Say<typeof WORDS>;
type Key = keyof typeof WORDS;

/** A word of a family, such as causes; what the table does not know is said as it is. */
export function word(say: SayHistory, family: string, name: string): string {
  const key = `${family}_${name}`;
  return key in WORDS ? say(key as Key) : name;
}

export function saidMark(say: SayHistory, mark: Mark): string {
  switch (mark.kind) {
    case "saved":
      return say("saved", { id: mark.id, words: mark.words });
    case "draft": {
      const state = word(say, "state", mark.state);
      return say(mark.words ? "draftBegun" : "draftUntitled", { id: mark.id, words: mark.words, state });
    }
    case "proposal":
      return say("proposed", { id: mark.id, state: word(say, "state", mark.state) });
    case "verdict": {
      const verdict = word(say, "verdict", mark.verdict);
      const said = say("decided", { proposal: mark.proposal, verdict, by: mark.by });
      const left = mark.left_out === null ? say("unknownParts") : say("without", { n: mark.left_out });
      return mark.left_out === 0 ? said : `${said}, ${left}`;
    }
  }
}

export function saidWho(say: SayHistory, row: Pick<Row, "kind" | "who">): string {
  return say(`by_${row.kind}`, { who: row.who });
}

/** What happened, in a few words. */
export function saidWhat(say: SayHistory, row: Row): string {
  if (row.run !== undefined && row.run.count > 1) return say("run", { n: row.run.count });
  return word(say, "cause", row.cause);
}

/** What a row does not show but says to those who listen, or on hovering: whole words for its signs. */
export function described(say: SayHistory, row: Row, language: Language, extra: readonly string[]): string {
  if (row.damage !== undefined) return [say(`damage_${row.damage}`), ...extra].join(". ");
  const run = row.run !== undefined && row.run.count > 1 ? row.run : undefined;
  return [
    `${saidWho(say, row)}, ${exact(row.at, language)}`,
    row.line === "" ? "" : say("inDraft", { id: row.line }),
    run ? say("folded") : "",
    say("changes", { n: row.changes }),
    ...row.marks.map((mark) => saidMark(say, mark)),
    row.head ? say("head") : "",
    ...extra,
  ]
    .filter(Boolean)
    .join(". ");
}
