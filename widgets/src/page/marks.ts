// Annotations and findings as marks on the picture.
import type { Aim, Note } from "../notes/note.ts";
import type { Mark, Point, Sheet } from "../viewer/sheet.ts";

export interface Finding {
  id: string;
  rule: string;
  severity: "error" | "warning" | "note";
  unit: string;
  object: string;
  name: string;
  message: string;
}

export function notePins(
  notes: readonly Note[],
  label: (number: number, note: Note) => string,
  onClick: (note: Note) => void,
): Mark[] {
  return notes.flatMap((note, at) =>
    note.references.flatMap((reference): Mark[] =>
      reference.at === null || reference.unit === null
        ? []
        : [
            {
              id: `${note.id}/${reference.place}`,
              kind: "pin",
              tone: reference.resolution === "missing" ? "lost" : "note",
              label: label(at + 1, note),
              text: String(at + 1),
              at: reference.at,
              unit: reference.unit,
              onClick: () => onClick(note),
            },
          ],
    ),
  );
}

export function findingBoxes(
  findings: readonly Finding[],
  sheets: ReadonlyMap<string, Sheet>,
  onClick: (finding: Finding) => void,
): Mark[] {
  return findings.flatMap((finding): Mark[] => {
    const sheet = sheets.get(finding.unit);
    const thing = sheet?.objects.find(({ id }) => id === finding.object);
    if (!sheet) return [];
    const [x, y, width, height] = sheet.trim;
    const corners: Point[] = [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
    ];
    return [
      {
        id: finding.id,
        kind: "box",
        tone: finding.severity === "error" ? "remove" : "change",
        text: "!",
        label: `${finding.name}: ${finding.message}`,
        outline: thing?.outline ?? corners,
        unit: finding.unit,
        onClick: () => onClick(finding),
      },
    ];
  });
}

export function aimMark(aim: Aim, label: string): Mark {
  return { id: "aim", kind: "pin", tone: "add", label, at: aim.point, unit: aim.unit };
}
