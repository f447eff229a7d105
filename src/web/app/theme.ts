import { createStore } from '#web/lib/store.ts'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

/** Product 3.3; public/theme.js reads it too, before the first paint. */
const storageKey = 'ui-theme'
const systemDark = window.matchMedia('(prefers-color-scheme: dark)')
const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value)

function readStoredTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey)
    return isTheme(stored) ? stored : 'system'
  } catch {
    return 'system'
  }
}

const resolveTheme = (theme: Theme) => (theme === 'system' ? (systemDark.matches ? 'dark' : 'light') : theme)

/** What the operator chose. */
export const theme = createStore<Theme>(readStoredTheme())
/** What is on the screen. */
export const shownTheme = createStore<'light' | 'dark'>(resolveTheme(theme.get()))

/** Disables transitions while the theme changes, so that all colours change in the same frame. */
function applyTheme() {
  shownTheme.set(resolveTheme(theme.get()))
  const root = document.documentElement
  root.dataset.switchingTheme = ''
  root.dataset.theme = shownTheme.get()
  // Reading a size makes the browser apply the new colours while transitions are off.
  root.getBoundingClientRect()
  delete root.dataset.switchingTheme
}

export function chooseTheme(chosen: Theme): void {
  theme.set(chosen)
  try {
    localStorage.setItem(storageKey, chosen)
  } catch {
    // The browser may forbid storage. The choice then lasts as long as the page.
  }
  applyTheme()
}

/** Switches between light and dark. */
export const switchTheme = (): void => chooseTheme(shownTheme.get() === 'dark' ? 'light' : 'dark')

systemDark.addEventListener('change', applyTheme)
// Applies a choice made in another tab.
window.addEventListener('storage', ({ key }) => {
  if (key !== storageKey && key !== null) return
  theme.set(readStoredTheme())
  applyTheme()
})
