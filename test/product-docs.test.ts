import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { eventTypes } from '#contract/endpoints.ts'
import { roleLabels } from '#contract/permissions.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/product/16-evidence.md'), 'utf8')

function resolveTestFile(name: string): string {
  if (name.startsWith('e2e/')) return `test/${name}.e2e.ts`
  return /^(?:demo|test)\//.test(name) ? `${name}.test.ts` : `src/${name}.test.ts`
}

/** Every file that a table row names, with the test names that follow it in “ ”. */
const cited = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`'))
  .flatMap((line) => [...line.matchAll(/`((?:demo|e2e|test|server|web)\/[^`]+)`([^`]*)/g)])
  .map(([, file, names]) => ({
    file: resolveTestFile(file!),
    names: [...names!.matchAll(/“([^”]+)”/g)].map((name) => name[1]!),
  }))

test('the page of evidence names only tests that exist', () => {
  const missing = cited.flatMap(({ file, names }) => {
    const path = join(root, file)
    if (!existsSync(path)) return [file]
    const text = readFileSync(path, 'utf8')
    return names.filter((name) => !text.includes(name)).map((name) => `${file}: ${name}`)
  })
  expect(cited.length).toBeGreaterThan(80)
  expect(missing).toEqual([])
})

test('each statement of the page of evidence is proven by a test that it names', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Statement'))
  expect(rows.filter((line) => !/`[^`]+` “/.test(line))).toEqual([])
  expect(cited.filter(({ names }) => names.length === 0)).toEqual([])
})

test.each(eventTypes)('the documents for the platform tell of %s (product 10.4)', (type) => {
  expect(readFileSync(join(root, 'docs/product/10-platform.md'), 'utf8')).toContain(`\`${type}\``)
  expect(readFileSync(join(root, 'docs/platform-api.md'), 'utf8')).toMatch(new RegExp(`^\\|.*\`${type}\``, 'm'))
})

test.each(Object.values(roleLabels))('the table of roles says for whom %s is (product 2.6)', (label) => {
  expect(readFileSync(join(root, 'docs/product/2-access.md'), 'utf8')).toContain(`\n| ${label} | `)
})

const folder = join(root, 'docs/product')
const sections = new Set(
  globSync('*.md', { cwd: folder }).flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/^##? (\d+(?:\.\d+)?) /gm)].map((heading) => heading[1]!),
  ),
)
const sources = globSync(['{src,demo,test,bench,tools,docs,examples}/**/*.{ts,tsx,mjs,css,md}', '*.{md,ts}'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
})

test('each citation of the specification leads to a section of docs/product', () => {
  const citations = sources.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\bproduct ((?:\d+(?:\.\d+)?(?:, | and )?)+)/gi)].flatMap(
      (citation) => citation[1]!.match(/\d+(?:\.\d+)?/g)!.map((section) => ({ path, section })),
    ),
  )
  expect(citations.length).toBeGreaterThan(700)
  expect(citations.filter(({ section }) => !sections.has(section))).toEqual([])
})

test('no source cites a document that is not in the repository', () => {
  const missing = sources.filter(
    (path) =>
      path !== 'test/product-docs.test.ts' &&
      /\b(?:SPEC|PRODUCT|HOUSE|LOOK)\b/.test(readFileSync(join(root, path), 'utf8')),
  )
  expect(missing).toEqual([])
})

/** Paths that a page names: in code from the root, in links from the page's own folder. */
function readPaths(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const inCode = text.matchAll(/`((?:bench|contracts|demo|docs|drizzle|examples|src|test|tools)(?:\/[\w.*-]+)+)\/?`/g)
  const inLinks = text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)
  return [...[...inCode].map(([, path]) => path!), ...[...inLinks].map(([, path]) => join(dirname(page), path!))]
}

test.each(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs/architecture.md', 'docs/how-to.md'])(
  'each path that %s names exists',
  (page) => {
    const paths = readPaths(page)
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([])
  },
)
