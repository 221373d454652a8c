// Pointer and wheel on a canvas, as what is meant: hover, tap, drag, pinch, zoom.
import type { Point } from "./sheet.ts";

export interface Meant {
  hover(at: Point | undefined): void;
  tap(at: Point): void;
  doubleTap(at: Point): void;
  drag(dx: number, dy: number): void;
  zoom(factor: number, at: Point): void;
  /** Whether drags and the plain wheel belong to this canvas now, or to the page round it. */
  owns(what: "drag" | "wheel"): boolean;
  /** The wheel turned and was left to the page. */
  passed(): void;
}

const SLACK = 4;
const DOUBLE = 320;

/** Hear gestures; gives the way to stop. */
export function gestures(canvas: HTMLCanvasElement, meant: Meant): () => void {
  const down = new Map<number, Point>();
  let start: Point | undefined;
  let dragging = false;
  let lastTap: { at: Point; time: number } | undefined;
  const at = (event: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const apart = ([ax, ay]: Point, [bx, by]: Point) => Math.hypot(ax - bx, ay - by);

  const pressed = (event: PointerEvent) => {
    if (event.button !== 0) return;
    down.set(event.pointerId, at(event));
    if (down.size === 1) {
      start = at(event);
      dragging = false;
    }
    if (down.size === 2 || meant.owns("drag")) canvas.setPointerCapture(event.pointerId);
  };
  const went = (event: PointerEvent) => {
    const now = at(event);
    const before = down.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType !== "touch") meant.hover(now);
      return;
    }
    const other = [...down.entries()].find(([id]) => id !== event.pointerId)?.[1];
    down.set(event.pointerId, now);
    if (other !== undefined) {
      dragging = true;
      const middle: Point = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
      const was: Point = [(before[0] + other[0]) / 2, (before[1] + other[1]) / 2];
      meant.drag(middle[0] - was[0], middle[1] - was[1]);
      meant.zoom(apart(now, other) / Math.max(1, apart(before, other)), middle);
      return;
    }
    if (!dragging && start !== undefined && apart(now, start) > SLACK) {
      dragging = true;
      meant.hover(undefined);
      canvas.classList.toggle("lk-viewer-dragging", meant.owns("drag"));
      meant.drag(now[0] - start[0], now[1] - start[1]);
      return;
    }
    if (dragging) meant.drag(now[0] - before[0], now[1] - before[1]);
  };
  const lifted = (event: PointerEvent) => {
    if (!down.delete(event.pointerId)) return;
    canvas.classList.remove("lk-viewer-dragging");
    if (dragging || down.size > 0 || event.type === "pointercancel") return;
    const now = at(event);
    if (lastTap !== undefined && event.timeStamp - lastTap.time < DOUBLE && apart(now, lastTap.at) < 3 * SLACK) {
      lastTap = undefined;
      meant.doubleTap(now);
    } else {
      lastTap = { at: now, time: event.timeStamp };
      meant.tap(now);
    }
  };
  const left = () => meant.hover(undefined);
  const wheeled = (event: WheelEvent) => {
    const meansZoom = event.ctrlKey || event.metaKey;
    if (!meansZoom && !meant.owns("wheel")) {
      meant.passed();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const turn = Math.max(-240, Math.min(240, event.deltaY * lines));
    // a pinch on a touchpad comes as small turns with the control key
    meant.zoom(Math.exp(-turn * (event.ctrlKey && Math.abs(turn) < 50 ? 0.01 : 0.002)), at(event));
  };

  canvas.addEventListener("pointerdown", pressed);
  canvas.addEventListener("pointermove", went);
  canvas.addEventListener("pointerup", lifted);
  canvas.addEventListener("pointercancel", lifted);
  canvas.addEventListener("pointerleave", left);
  canvas.addEventListener("wheel", wheeled, { passive: false });
  return () => {
    canvas.removeEventListener("pointerdown", pressed);
    canvas.removeEventListener("pointermove", went);
    canvas.removeEventListener("pointerup", lifted);
    canvas.removeEventListener("pointercancel", lifted);
    canvas.removeEventListener("pointerleave", left);
    canvas.removeEventListener("wheel", wheeled);
  };
}
