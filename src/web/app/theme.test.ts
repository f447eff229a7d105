// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'

const script = readFileSync(join(import.meta.dirname, '../public/theme.js'), 'utf8')

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['a browser that has what the console needs', Intl, ''],
  [
    'an older browser',
    { ...Intl },
    'The console needs a newer browser: Chrome or Edge 120, Firefox 125, Safari 17.4, or later.',
  ],
])('%s shows what it should', (_name, has, shown) => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.stubGlobal('Intl', has)
  document.body.innerHTML = '<div id="root"></div>'
  // oxlint-disable-next-line no-eval -- a page loads it as a script
  window.eval(script)
  window.dispatchEvent(new Event('DOMContentLoaded'))
  expect(document.body.textContent).toBe(shown)
})
