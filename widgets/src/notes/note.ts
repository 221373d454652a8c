// Annotations as the kernel tells them, and what a person points at while writing one.
import type { Mark, Point, Thing } from "../viewer/sheet.ts";

export type State = "open" | "claimed" | "awaiting" | "resolved" | "shelved";

export interface Reference {
  place: number;
  kind: "element" | "point";
  resolution: "unchanged" | "changed" | "missing";
  unit: string | null;
  title: string;
  name: string;
  target: string;
  handle: string | null;
  at: Point | null;
  outline: Point[];
}

export interface Note {
  id: string;
  body: string;
  state: State;
  actor: string;
  created_at: string;
  draft: string;
  proposal: string;
  references: Reference[];
  attachments: { asset: string; title: string }[];
  messages: { actor: string; kind: string; at: string; body: string }[];
}

export type Shown = "unsettled" | "settled" | "all";

const SETTLED: readonly State[] = ["resolved", "shelved"];

export function isSettled(note: Note): boolean {
  return SETTLED.includes(note.state);
}

export function chosen(notes: readonly Note[], shown: Shown): Note[] {
  return notes.filter((note) => shown === "all" || isSettled(note) === (shown === "settled"));
}

/** What a person points at: a thing, or a place on the paper. */
export interface Aim {
  unit: string;
  title: string;
  point: Point;
  thing: Thing | undefined;
}

/** What is meant by that: the thing, the place on the paper, or all of the page. */
export type About = "thing" | "point" | "page";

/** As the kernel is told. */
export interface Pointed {
  unit: string;
  object?: string;
  point?: Point;
}

export function pointed({ unit, point, thing }: Aim, about: About): Pointed {
  if (about === "page") return { unit };
  return about === "thing" && thing !== undefined ? { unit, object: thing.id, point } : { unit, point };
}

/** Pins for the references of some annotations on one unit. */
export function marksOf(notes: readonly Note[], unit: string, current: string, go: (note: string) => void): Mark[] {
  return notes.flatMap((note) =>
    note.references
      .filter((reference) => reference.unit === unit && reference.at !== null)
      .map((reference): Mark => {
        const lost = reference.resolution === "missing";
        return {
          id: `${note.id}-${reference.place}`,
          kind: "pin",
          tone: lost ? "lost" : note.id === current ? "change" : "note",
          label: `${note.id} ${reference.place}: ${note.body.slice(0, 80)}`,
          text: String(reference.place),
          at: reference.at as Point,
          unit,
          onClick: () => go(note.id),
        };
      }),
  );
}
