// Marks over what changed on a page, by the kind of change.
import { boxOf, type Mark, type Rect, type Sheet, type Thing, type Tone } from "../viewer/sheet.ts";
import { sort } from "./choices.ts";
import type { Part } from "./facts.ts";

/** Marks that are drawn at once. */
export const MOST = 80;

const TONES = { added: "add", removed: "remove", changed: "change" } as const;

export interface Sides {
  before: Sheet | null | undefined;
  after: Sheet | null | undefined;
}

/** The marks of some parts of one page: one for each object, where it is to be seen. */
export function marksOf(
  parts: readonly Part[],
  sides: Sides,
  out: ReadonlyMap<string, string>,
  go: (part: string) => void,
): Mark[] {
  const byObject = new Map<string, Part[]>();
  for (const part of parts) byObject.set(part.object, [...(byObject.get(part.object) ?? []), part]);
  const both = Boolean(sides.before && sides.after);
  const found: Mark[] = [];
  for (const [object, own] of byObject) {
    const [first] = own;
    if (first === undefined) continue;
    const all = own.every((part) => out.has(part.id));
    const tone: Tone = all ? "lost" : TONES[sort(first)];
    const label = own.map((part) => part.words).join("; ");
    const base = { kind: "box", tone, label, onClick: () => go(first.id) } as const;
    const was = thingOn(sides.before, object);
    const is = thingOn(sides.after, object);
    const sign = all ? "×" : undefined;
    const text = sign === undefined ? {} : { text: sign };
    if (is !== undefined) {
      found.push({ ...base, ...text, id: `${object}/after`, outline: is.outline, ...(both ? { on: "sheet" } : {}) });
    }
    if (was !== undefined && (is === undefined || moved(was, is))) {
      found.push({
        ...base,
        ...text,
        id: `${object}/before`,
        outline: was.outline,
        ...(both ? { on: "against" } : {}),
      });
    }
  }
  return found;
}

/** The same marks with those of one object at its other corner: the name of what is chosen stands at theirs. */
export function aside(marks: readonly Mark[], object: string | undefined): Mark[] {
  return marks.map((mark) => {
    if (object === undefined || !mark.id.startsWith(`${object}/`) || mark.outline === undefined) return mark;
    const [x, y, width] = boxOf(mark.outline);
    return { ...mark, kind: "pin", at: [x + width, y] };
  });
}

/** Where an object is: after, else before. */
export function placeOf(sides: Sides, object: string): Rect | undefined {
  return (thingOn(sides.after, object) ?? thingOn(sides.before, object))?.box;
}

function thingOn(sheet: Sheet | null | undefined, object: string): Thing | undefined {
  return sheet?.objects.find((thing) => thing.id === object);
}

function moved(one: Thing, other: Thing): boolean {
  return (
    one.outline.length !== other.outline.length || one.outline.some((point, at) => differs(point, other.outline[at]))
  );
}

function differs(one: readonly [number, number], other: readonly [number, number] | undefined): boolean {
  return other === undefined || Math.abs(one[0] - other[0]) > 0.01 || Math.abs(one[1] - other[1]) > 0.01;
}
