// The static picture beside a widget: seen where nothing runs, hidden while the widget lives.

/** Hide the static form with this name wherever it stands; gives the way to show it again. */
export function hideStill(name: string): () => void {
  if (name === "") return () => {};
  const hidden: HTMLElement[] = [];
  for (const found of document.querySelectorAll<HTMLElement>(`[data-lantern-still="${CSS.escape(name)}"]`)) {
    const output = found.closest<HTMLElement>(".jp-OutputArea-child, .output_area, .cell-output") ?? found;
    output.hidden = true;
    output.style.display = "none";
    hidden.push(output);
  }
  return () => {
    for (const output of hidden) {
      output.hidden = false;
      output.style.removeProperty("display");
    }
  };
}
