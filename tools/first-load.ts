// What a browser loads before the login form and the dashboard appear. Menus, dialogs, the toaster, the chart and the palette load
// later and do not count.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What Vite writes of each source that became a chunk. */
type Manifest = Record<string, { file: string; imports?: string[] }>

/** Initial JavaScript: the most kB (1,000 bytes, gzip), and the sources that load it. */
export const firstLoads = {
  login: { most: 100, sources: ['index.html', 'features/auth/login-page.tsx'] },
  dashboard: {
    most: 125,
    sources: ['index.html', 'app/console-router.tsx', 'features/dashboard/dashboard-page.tsx', 'app/live.ts'],
  },
}

/**
 * The files of one of them, from the manifest of the build in `dist`: the chunks of its sources and every chunk they import
 * statically.
 */
export function listFirstFiles(dist: string, sources: string[]): Set<string> {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const found = new Set<string>()
  const add = (source: string) => {
    const chunk = manifest[source]
    if (!chunk) throw new Error(`${source} is not a chunk of its own in the manifest: is it still loaded lazily?`)
    if (found.has(chunk.file)) return
    found.add(chunk.file)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  for (const source of sources) add(source)
  return found
}
