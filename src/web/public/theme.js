// Runs before the first paint, so that neither the wrong theme nor the wrong width of the sidebar flashes. Later changes are those of
// app/theme.ts and app/fold-sidebar.ts.
;(() => {
  let kept = null
  let folded = false
  try {
    kept = localStorage.getItem('ui-theme')
    folded = localStorage.getItem('ui-sidebar') === 'folded'
  } catch {
    // Storage can be forbidden; the system's choice holds then.
  }
  if (folded) document.documentElement.dataset.sidebar = 'folded'
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  // What the console's code uses without asking. In an older browser that code ends before it shows anything.
  if ('Segmenter' in Intl && 'any' in AbortSignal && 'canParse' in URL) return
  addEventListener('DOMContentLoaded', () =>
    document
      .querySelector('#root')
      ?.replaceWith('The console needs a newer browser: Chrome or Edge 120, Firefox 125, Safari 17.4, or later.'),
  )
})()
