const finders = new WeakMap<Element, () => HTMLElement | null>()

/** Says what takes the focus of a control once that has left the page. */
export const setFocusSuccessor = (control: Element, find: () => HTMLElement | null): void =>
  void finders.set(control, find)

/** Moves the focus, unless the operator has begun to type elsewhere meanwhile. */
export function moveFocus(target: HTMLElement | null | undefined): void {
  if (!document.activeElement?.matches('input, textarea')) target?.focus({ preventScroll: true })
}

/** What takes the focus of a control that has left the page. */
export const findFocusSuccessor = (control: Element | null): HTMLElement | null =>
  (control && finders.get(control)?.()) ?? null
