/** Product 3.1; public/theme.js reads it too, before the first paint. */
const storageKey = 'ui-sidebar'

/** Folds the sidebar to its icons, or unfolds it. The browser keeps the choice. */
export function foldSidebar(): void {
  const { dataset } = document.documentElement
  const isFolded = dataset.sidebar !== 'folded'
  if (isFolded) dataset.sidebar = 'folded'
  else delete dataset.sidebar
  try {
    localStorage.setItem(storageKey, isFolded ? 'folded' : 'unfolded')
  } catch {
    // Storage can be forbidden; the choice holds until the page is left.
  }
}
