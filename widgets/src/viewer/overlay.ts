// What is drawn over the pictures: outlines, the reading path, guides, and the boxes of marks.
import { type Brush, type Lens, onScreen } from "./paint.ts";
import { type Mark, middle, type Point, type Rect, type Sheet, type Thing, type Tone } from "./sheet.ts";

const ACCENT = "#0b5fb0";
export const TONES: Record<Tone, { colour: string; sign: string }> = {
  add: { colour: "#12722f", sign: "+" },
  change: { colour: "#8a4b00", sign: "~" },
  remove: { colour: "#b42318", sign: "−" },
  conflict: { colour: "#8a1f9c", sign: "!" },
  note: { colour: "#0b5fb0", sign: "✎" },
  lost: { colour: "#5c5c5c", sign: "?" },
};

export interface GuideWords {
  trim: string;
  bleed: string;
  safe: string;
  gutter: string;
}

function trace(brush: Brush, outline: readonly Point[], lens: Lens): void {
  brush.beginPath();
  for (const [x, y] of outline) brush.lineTo(lens.ox + x * lens.k, lens.oy + y * lens.k);
  brush.closePath();
}

/** A line that is seen on light and on dark. */
function stroke(brush: Brush, width: number, colour: string, dash: number[] = []): void {
  brush.setLineDash([]);
  brush.lineJoin = "round";
  brush.strokeStyle = "rgb(255 255 255 / 0.8)";
  brush.lineWidth = width * 2.2;
  brush.stroke();
  brush.setLineDash(dash);
  brush.strokeStyle = colour;
  brush.lineWidth = width;
  brush.stroke();
  brush.setLineDash([]);
}

function tag(brush: Brush, words: string, x: number, y: number, dpr: number, colour: string): number {
  brush.font = `600 ${11 * dpr}px system-ui, sans-serif`;
  brush.textBaseline = "middle";
  const width = brush.measureText(words).width + 10 * dpr;
  const height = 17 * dpr;
  brush.fillStyle = colour;
  brush.fillRect(x, y, width, height);
  brush.fillStyle = "#fff";
  brush.fillText(words, x + 5 * dpr, y + height / 2 + 0.5);
  return width;
}

export function paintOutlines(brush: Brush, things: readonly Thing[], lens: Lens, dpr: number): void {
  for (const thing of things) {
    trace(brush, thing.outline, lens);
    stroke(brush, dpr, ACCENT, thing.kind === "frame" ? [] : [4 * dpr, 3 * dpr]);
  }
}

/** One object brought out: hovered or stepped to (with its name), or selected. */
export function paintThing(brush: Brush, thing: Thing, lens: Lens, dpr: number, clip: Rect, chosen: boolean): void {
  trace(brush, thing.outline, lens);
  if (chosen) {
    brush.fillStyle = "rgb(11 95 176 / 0.12)";
    brush.fill();
  }
  stroke(brush, (chosen ? 2.5 : 2) * dpr, ACCENT);
  if (chosen) {
    const [x, y, width, height] = onScreen(lens, thing.box);
    const edge = 7 * dpr;
    for (const [cx, cy] of [
      [x, y],
      [x + width, y],
      [x, y + height],
      [x + width, y + height],
    ] as const) {
      brush.fillStyle = "#fff";
      brush.fillRect(cx - edge / 2, cy - edge / 2, edge, edge);
      brush.strokeStyle = ACCENT;
      brush.lineWidth = dpr;
      brush.strokeRect(cx - edge / 2, cy - edge / 2, edge, edge);
    }
  }
  const [x, y] = onScreen(lens, thing.box);
  tag(brush, thing.name, Math.max(x, clip[0]), Math.max(y - 19 * dpr, clip[1]), dpr, ACCENT);
}

export function paintReading(brush: Brush, sheet: Sheet, lens: Lens, dpr: number): void {
  const frames = sheet.reading
    .map((id) => sheet.objects.find((thing) => thing.id === id))
    .filter((thing) => thing !== undefined);
  const stops = frames.map((frame): Point => {
    const [x, y] = middle(frame.box);
    return [lens.ox + x * lens.k, lens.oy + y * lens.k];
  });
  for (const [at, [x, y]] of stops.entries()) {
    const next = stops[at + 1];
    if (next === undefined) break;
    const angle = Math.atan2(next[1] - y, next[0] - x);
    const [tipX, tipY] = [next[0] - Math.cos(angle) * 14 * dpr, next[1] - Math.sin(angle) * 14 * dpr];
    brush.beginPath();
    brush.moveTo(x, y);
    brush.lineTo(tipX, tipY);
    for (const turn of [0.5, -0.5]) {
      brush.moveTo(tipX, tipY);
      brush.lineTo(tipX - Math.cos(angle + turn) * 10 * dpr, tipY - Math.sin(angle + turn) * 10 * dpr);
    }
    stroke(brush, 2 * dpr, "#b42318");
  }
  brush.font = `700 ${12 * dpr}px system-ui, sans-serif`;
  brush.textBaseline = "middle";
  brush.textAlign = "center";
  for (const [at, [x, y]] of stops.entries()) {
    brush.beginPath();
    brush.arc(x, y, 11 * dpr, 0, 2 * Math.PI);
    brush.fillStyle = "#b42318";
    brush.fill();
    brush.strokeStyle = "#fff";
    brush.lineWidth = 1.5 * dpr;
    brush.stroke();
    brush.fillStyle = "#fff";
    brush.fillText(String(at + 1), x, y + 0.5 * dpr);
  }
  brush.textAlign = "start";
}

export function paintGuides(brush: Brush, sheet: Sheet, lens: Lens, dpr: number, words: GuideWords): void {
  let across = 0; // tags stand beside each other: at a distance their corners are at one place
  const line = (rect: Rect, colour: string, dash: number[], name: string) => {
    const [x, y, width, height] = onScreen(lens, rect);
    brush.beginPath();
    brush.rect(x, y, width, height);
    stroke(brush, 1.2 * dpr, colour, dash);
    if (name !== "") across += tag(brush, name, x + across, y - 8 * dpr, dpr, colour) + 2 * dpr;
  };
  if (sheet.area[2] > sheet.trim[2]) line(sheet.area, "#b42318", [2 * dpr, 3 * dpr], words.bleed);
  line(sheet.trim, ACCENT, [], words.trim);
  for (const [at, rect] of sheet.safe.entries()) line(rect, "#12722f", [7 * dpr, 4 * dpr], at === 0 ? words.safe : "");
  if (sheet.gutter !== null) {
    brush.fillStyle = "rgb(138 31 156 / 0.18)";
    const [x, y, width, height] = onScreen(lens, sheet.gutter);
    brush.fillRect(x, y, width, height);
    tag(brush, words.gutter, x, y, dpr, "#8a1f9c");
  }
}

export function paintBox(brush: Brush, mark: Mark, lens: Lens, dpr: number): void {
  if (mark.outline === undefined) return;
  const { colour } = TONES[mark.tone];
  trace(brush, mark.outline, lens);
  brush.globalAlpha = 0.1;
  brush.fillStyle = colour;
  brush.fill();
  brush.globalAlpha = 1;
  stroke(brush, 2 * dpr, colour, mark.tone === "lost" || mark.tone === "remove" ? [6 * dpr, 4 * dpr] : []);
}

/** A cross in the middle of a pane, where Enter would choose a point. */
export function paintCross(brush: Brush, clip: Rect, dpr: number): void {
  const [x, y] = middle(clip);
  const arm = 10 * dpr;
  brush.beginPath();
  brush.moveTo(x - arm, y);
  brush.lineTo(x + arm, y);
  brush.moveTo(x, y - arm);
  brush.lineTo(x, y + arm);
  stroke(brush, 1.5 * dpr, "#b42318");
}
