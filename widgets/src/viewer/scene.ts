// What is to be drawn, and in which parts of the canvas.
import type { GuideWords } from "./overlay.ts";
import type { Leaf, Mark, Mode, Overlays, Rect } from "./sheet.ts";
import type { Size, Viewport } from "./viewport.ts";

export interface Scene {
  leaves: Leaf[];
  against: Leaf[] | null;
  mode: Mode;
  /** swipe: where the edge is; onion: how much of the sheet; 0 to 1 */
  share: number;
  /** blink: whether what it is compared with is shown now */
  swapped: boolean;
  overlays: Overlays;
  marks: readonly Mark[];
  selected: string | undefined;
  /** hovered, or stepped to by keyboard */
  hovered: string | undefined;
  /** a view given from outside, which gestures do not change */
  held: Viewport | undefined;
  /** a cross in the middle: a point is to be chosen */
  aiming: boolean;
  words: GuideWords;
}

export type Which = "sheet" | "against";

/** A part of the canvas, in CSS pixels, and what it shows. */
export interface Pane {
  rect: Rect;
  leaves: Leaf[];
  which: Which;
}

const NARROW = 560;
const GAP = 6;

/** The panes of a canvas: two beside each other (below each other where it is narrow), else one. */
export function panesOf(scene: Scene, { width, height }: Size): Pane[] {
  const { leaves, against, mode } = scene;
  const whole: Rect = [0, 0, width, height];
  if (against === null) return [{ rect: whole, leaves, which: "sheet" }];
  if (mode === "side") {
    const tall = width < NARROW;
    const part = ((tall ? height : width) - GAP) / 2;
    const first: Rect = tall ? [0, 0, width, part] : [0, 0, part, height];
    const second: Rect = tall ? [0, part + GAP, width, part] : [part + GAP, 0, part, height];
    return [
      { rect: first, leaves: against, which: "against" },
      { rect: second, leaves, which: "sheet" },
    ];
  }
  const swapped = mode === "blink" && scene.swapped;
  return [{ rect: whole, leaves: swapped ? against : leaves, which: swapped ? "against" : "sheet" }];
}

/** Whether a mark belongs to what a pane shows. */
export function shownIn(mark: Mark, pane: Pane, scene: Scene): boolean {
  if (scene.against === null || (mark.on ?? "both") === "both") return true;
  return scene.mode === "side" || scene.mode === "blink" ? mark.on === pane.which : true;
}
