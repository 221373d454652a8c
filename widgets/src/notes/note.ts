// Annotations as the kernel tells them, and what a person points at while writing one.
import type { Mark, Point, Rect, Sheet, Thing } from "../viewer/sheet.ts";

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

/** What is pointed at: on a thing and where inside it, or on the paper; shares from 0 to 1. */
export type On = { element: string; at: Point } | { unit: string; point: Point };

export interface Aim {
  on: On;
  unit: string;
  at: Point;
  /** what people call the thing; "" for a place on the paper */
  name: string;
  title: string;
}

/** What a click means: the thing under it and where inside, or a place on the paper. */
export function aimed(point: Point, thing: Thing | undefined, sheet: Sheet): Aim {
  const rest = { unit: sheet.unit, at: point, title: sheet.title };
  if (thing !== undefined) {
    return { ...rest, name: thing.name, on: { element: thing.handle, at: shares(point, thing.box) } };
  }
  return { ...rest, name: "", on: { unit: sheet.unit, point: shares(point, sheet.trim) } };
}

function shares([x, y]: Point, [left, top, width, height]: Rect): Point {
  const share = (at: number, from: number, length: number) =>
    length <= 0 ? 0.5 : Math.min(1, Math.max(0, (at - from) / length));
  return [share(x, left, width), share(y, top, height)];
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
