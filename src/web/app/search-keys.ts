const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))
const overlay = '[role=dialog], [role=alertdialog], [role=menu]'

/** `/` where nothing is typed in, Ctrl-K or Cmd-K anywhere (PRODUCT 5.5), unless a dialog or menu is open. */
export function isSearchKey({ key, target, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented }: KeyboardEvent) {
  const isMeant =
    ctrlKey || metaKey ? key.toLowerCase() === 'k' && !altKey && !shiftKey : key === '/' && !altKey && !isTyping(target)
  return isMeant && !defaultPrevented && !document.querySelector(overlay)
}
