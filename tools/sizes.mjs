// Adds up what a browser that takes gzip loads before the login form and the dashboard appear. Exits with 1 above the budget.
// With --over it prints only what exceeds it.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { firstLoads, listFirstFiles } from './first-load.ts'

const dist = join(import.meta.dirname, '../dist/web')
const printsAll = !process.argv.includes('--over')
let isOver = false
for (const [page, { most, sources }] of Object.entries(firstLoads)) {
  const files = [...listFirstFiles(dist, sources)]
  const measure = (coding) =>
    files.reduce((sum, file) => sum + statSync(join(dist, `${file}.${coding}`)).size, 0) / 1000
  const size = measure('gz')
  if (size > most) isOver = true
  const brotli = `${measure('br').toFixed(1)} kB in brotli`
  if (printsAll || size > most)
    console.log(
      `${page}: ${size.toFixed(1)} kB of ${most} kB (${files.length} files, ${brotli})${size > most ? ', too much' : ''}`,
    )
}
process.exitCode = isOver ? 1 : 0
