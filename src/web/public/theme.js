// Runs before the first paint, so that the wrong theme never flashes. Later changes are app/theme.ts's.
;(() => {
  let kept = null
  try {
    kept = localStorage.getItem('ui-theme')
  } catch {
    // Storage can be forbidden; the system's choice holds then.
  }
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
