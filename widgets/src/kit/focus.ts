// Where the keys go: moved before anybody can type on, and never torn away from where somebody works by then.

/** Whether the focus may be moved to or from a part of the page: nothing has it, or something of that part. */
export function loose(part: Element | null | undefined): boolean {
  const at = document.activeElement;
  return at === null || at === document.body || part?.contains(at) === true;
}
