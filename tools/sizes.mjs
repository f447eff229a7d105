// Adds up what a browser loads before the login form and the dashboard appear. Exits with 1 above the budget. Menus, dialogs, the
// toaster, the chart and the palette load later and are not counted.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const dist = join(import.meta.dirname, '../dist/web')
/** Initial JavaScript in kB (1,000 bytes), gzip. */
const budgets = {
  login: { most: 100, sources: ['index.html', 'features/auth/login-page.tsx'] },
  dashboard: {
    most: 132,
    sources: ['index.html', 'app/console-router.tsx', 'features/dashboard/dashboard-page.tsx', 'app/live.ts'],
  },
}

/** @type {Record<string, { file: string, imports?: string[] }>} */
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))

/** The chunk of a source and every chunk it imports statically. */
function filesOf(source, found = new Set()) {
  const chunk = manifest[source]
  if (!chunk) throw new Error(`${source} is no chunk of its own in the manifest: is it still loaded lazily?`)
  if (found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const imported of chunk.imports ?? []) filesOf(imported, found)
  return found
}

let isOver = false
for (const [page, { most, sources }] of Object.entries(budgets)) {
  const files = new Set(sources.flatMap((source) => [...filesOf(source)]))
  const bytes = [...files].map((file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length)
  const size = bytes.reduce((sum, each) => sum + each, 0) / 1000
  if (size > most) isOver = true
  console.log(`${page}: ${size.toFixed(1)} kB of ${most} kB (${files.size} files)${size > most ? ', too much' : ''}`)
}
process.exitCode = isOver ? 1 : 0
