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
})()
