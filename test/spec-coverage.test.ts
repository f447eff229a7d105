import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8')

function fileOf(name: string): string {
  if (name.startsWith('e2e/')) return `test/${name}.e2e.ts`
  return name.startsWith('test/') ? `${name}.test.ts` : `src/${name}.test.ts`
}

/** Every file that a table row names, with the test names that follow it in “ ”. */
const cited = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`'))
  .flatMap((line) => [...line.matchAll(/`((?:e2e|test|server|web)\/[^`]+)`([^`]*)/g)])
  .map(([, file, names]) => ({
    file: fileOf(file!),
    names: [...names!.matchAll(/“([^”]+)”/g)].map((name) => name[1]!),
  }))

test('the page of SPEC’s statements names only tests that are there', () => {
  const missing = cited.flatMap(({ file, names }) => {
    const path = join(root, file)
    if (!existsSync(path)) return [file]
    const text = readFileSync(path, 'utf8')
    return names.filter((name) => !text.includes(name)).map((name) => `${file}: ${name}`)
  })
  expect(cited.length).toBeGreaterThan(80)
  expect(missing).toEqual([])
})

test('every statement of it is proven by a test of its own name', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Statement'))
  expect(rows.filter((line) => !/`[^`]+` “/.test(line))).toEqual([])
  expect(cited.filter(({ names }) => names.length === 0)).toEqual([])
})
