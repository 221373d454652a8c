// Light or dark, as the page round the widget is.

/** Keep `data-dark` of an element in step with the page; gives the way to stop. */
export function watchTheme(root: HTMLElement): () => void {
  const look = () => {
    root.toggleAttribute("data-dark", isDark(root));
  };
  look();
  const observer = new MutationObserver(look);
  for (const place of [document.documentElement, document.body]) {
    observer.observe(place, { attributes: true, attributeFilter: ["class", "style", "data-jp-theme-light"] });
  }
  const query = matchMedia("(prefers-color-scheme: dark)");
  query.addEventListener("change", look);
  return () => {
    observer.disconnect();
    query.removeEventListener("change", look);
  };
}

function isDark(root: HTMLElement): boolean {
  const said = document.body.dataset.jpThemeLight;
  if (said !== undefined) return said === "false";
  for (let place: HTMLElement | null = root; place !== null; place = place.parentElement) {
    const parts = getComputedStyle(place)
      .backgroundColor.match(/[\d.]+/g)
      ?.map(Number);
    const [red = 255, green = 255, blue = 255, alpha = 1] = parts ?? [];
    if (parts !== undefined && alpha > 0.5) return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
