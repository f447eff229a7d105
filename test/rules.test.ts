import { execFile } from 'node:child_process'
import { cp, glob, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { parseSync, Visitor } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { avoidedWords } from './support/avoided-words.ts'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

const folder = await mkdtemp(join(tmpdir(), 'back-office-rules-'))
afterAll(() => rm(folder, { recursive: true }))

/** Lints one planted file by the project's own rules, in a folder of its own. */
async function lint(path: string, source: string): Promise<string> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await cp(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  await writeFile(file, `${source}\n`)
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')
  const { stdout } = await run(process.execPath, [oxlint, path], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  await rm(file)
  return stdout
}

const planted = [
  ['the web reaching into the server', 'src/web/features/members/a.ts', "import '#server/core/audit.ts'"],
  ['the server reaching into the web', 'src/server/features/members/a.ts', "import '#web/api.ts'"],
  ['the contract reaching into the server', 'src/contract/a.ts', "import '#server/core/audit.ts'"],
  ['the contract’s data loading zod', 'src/contract/a.ts', "import * as z from 'zod/mini'"],
  ['the contract’s data loading schemas', 'src/contract/a.ts', "import { Order } from './schemas/orders.ts'"],
  ['a schema reaching into the server', 'src/contract/schemas/a.ts', "import '#server/core/audit.ts'"],
  ['the contract taking a library', 'src/contract/a.ts', "import 'drizzle-orm'"],
  [
    'a feature past the service of another',
    'src/server/features/members/a.ts',
    "import '#server/features/kyc/decide.ts'",
  ],
  ['the demo past the service of a feature', 'demo/platform/a.ts', "import '#server/features/kyc/decide.ts'"],
  ['a job past the service of a feature', 'src/server/jobs/a.ts', "import '#server/features/kyc/decide.ts'"],
  ['a feature reaching for its callers', 'src/server/features/members/a.ts', "import '#server/platform/routes.ts'"],
  ['a feature reaching for the process', 'src/server/features/members/a.ts', "import '#server/process/start.ts'"],
  ['the core reaching into a feature', 'src/server/core/a.ts', "import '#server/features/kyc/service.ts'"],
  ['the library reaching into HTTP', 'src/server/lib/a.ts', "import '#server/http/mount.ts'"],
  ['a screen reaching into another', 'src/web/features/members/a.ts', "import '#web/features/dashboard/queries.ts'"],
  ['a screen reaching into the shell', 'src/web/features/members/a.ts', "import '#web/app/shell.tsx'"],
  ['a part of the look that fetches', 'src/web/ui/a.ts', "import '#web/api.ts'"],
  ['an example leaning on the console’s code', 'examples/platform/a.ts', "import '#contract/platform.ts'"],
  ['an example taking a library', 'examples/platform/a.ts', "import 'fastify'"],
  ['anyone climbing folders', 'src/server/features/members/a.ts', "import '../kyc/service.ts'"],
  ['a type-only import across the layers', 'src/web/a.ts', "export type { Ctx } from '#server/core/context.ts'"],
  ['a dynamic import across the layers', 'src/web/a.ts', "export const load = () => import('#server/core/audit.ts')"],
] as const

test.each(planted)('lint refuses %s', async (_what, path, source) => {
  expect(await lint(path, source)).toContain('no-restricted-imports')
})

test('lint lets the contract’s data take types of schemas', async () => {
  const source = "import type { orderSchemas } from './schemas/orders.ts'\nexport type Schemas = typeof orderSchemas"
  expect(await lint('src/contract/a.ts', source)).not.toContain('no-restricted-imports')
})

test('lint lets a feature use its own files and another feature’s service', async () => {
  const source = "import '#contract/members.ts'\nimport './queries.ts'\nimport '#server/features/kyc/service.ts'"
  expect(await lint('src/server/features/members/a.ts', source)).not.toContain('no-restricted-imports')
})

test('the demo is named in one file of src alone (decision 112)', async () => {
  const found: string[] = []
  for await (const path of glob('src/**/*.{ts,tsx}', { cwd: root }))
    if (/['"`]#demo\//.test(await readFile(join(root, path), 'utf8'))) found.push(path)
  expect(found).toEqual(['src/server/process/demo.ts'])
})

test('a folder of the bank imports only what the money has passed before', async () => {
  const folders = [
    'shared',
    'statements',
    'matching',
    'candidates',
    'proposals',
    'refunds',
    'allocations',
    'line-detail',
  ]
  const bank = join(root, 'src/server/features/bank')
  const forbidden: string[] = []
  for await (const path of glob(`{${folders.join()}}/**/*.ts`, { cwd: bank, exclude: ['**/*.test.ts'] })) {
    const own = folders.indexOf(path.split('/')[0]!)
    const imports = (await readFile(join(bank, path), 'utf8')).matchAll(/'#server\/features\/bank\/([^/']+)/g)
    for (const [, folder] of imports)
      if (!folders.slice(0, own).includes(folder!)) forbidden.push(`${path} imports ${folder}`)
  }
  expect(forbidden).toEqual([])
})

/** The project's own files: those beside package.json, and all of these folders. */
async function ownFiles(): Promise<string[]> {
  const beside = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isFile())
  const folders = ['.ci', 'bench', 'demo', 'docs', 'drizzle', 'examples', 'src', 'test', 'tools']
  const within = await Promise.all(
    folders.map((name) => readdir(join(root, name), { recursive: true, withFileTypes: true })),
  )
  // `test/api-clients` installs packages of its own.
  const own = within.flat().filter((entry) => entry.isFile() && !entry.parentPath.includes('/node_modules'))
  return [...beside, ...own].map(({ parentPath, name }) => join(parentPath, name))
}

test("no file names a package registry or a folder of its author's machine", async () => {
  const registry = /\b(registry|npm)\.[a-z0-9-]+\.(org|com|net|io|dev)\b|\bpkg\.github\.com/i
  const someonesFolder = /(^|[\s"'`(=:])\/(home|Users)\/[a-z]/m
  const found: string[] = []
  for (const file of await ownFiles()) {
    const text = await readFile(file, 'utf8')
    if (registry.test(text) || someonesFolder.test(text) || text.includes(`${root}/`)) found.push(file)
  }
  expect(found).toEqual([])
  expect(await readFile(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved"')
})

/** `a-{b,c}` as `a-b` and `a-c`. */
function spellOut(text: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(text)
  if (!braces) return [text]
  return braces[1]!.split(',').flatMap((part) => spellOut(text.replace(braces[0], part)))
}

test('no text has a word that a stranger reads twice', async () => {
  const texts = (await ownFiles()).filter(
    (file) => /\.(?:mjs|tsx?|md|css|sh|ya?ml)$/.test(file) && !file.endsWith('avoided-words.ts'),
  )
  const found: string[] = []
  for (const file of texts)
    for (const [at, line] of (await readFile(file, 'utf8')).split('\n').entries())
      for (const [word, instead] of avoidedWords)
        if (word.test(line)) found.push(`${relative(root, file)}:${at + 1}: better: ${instead}`)
  expect(texts.length).toBeGreaterThan(1000)
  expect(found).toEqual([])
})

test('every dependency is named with its reason in docs/decisions/003', async () => {
  const record = await readFile(join(root, 'docs/decisions/003-dependencies.md'), 'utf8')
  const named = record
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) => line.split(' | ')[0]!.slice(2).split(/, | /))
    .flatMap(spellOut)
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>
  const used = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(used.filter((name) => !named.includes(name))).toEqual([])
})

test('every migration has a name and is never empty', async () => {
  const migrations = await readdir(join(root, 'drizzle'))
  for (const name of migrations) {
    expect(name).toMatch(/^\d{14}_[a-z_0-9]+$/)
    expect(await readFile(join(root, 'drizzle', name, 'migration.sql'), 'utf8')).toMatch(/\S/)
  }
})

/** The names that a test file gives to `test` and `describe`, as they are written. */
function readTestNames(path: string, source: string): string[] {
  const names: string[] = []
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [name, body] }) {
      const isTest = /^(?:test|describe)\b/.test(source.slice(callee.start, callee.end))
      const isText = name?.type === 'TemplateLiteral' || (name?.type === 'Literal' && typeof name.value === 'string')
      if (isTest && isText && body) names.push(source.slice(name.start + 1, name.end - 1))
    },
  })
  visitor.visit(parseSync(path, source).program)
  return names
}

test('a test’s name has at most 80 characters and begins with no citation', async () => {
  const names: string[] = []
  for await (const path of glob('{src,demo,test,tools}/**/*.{test,e2e}.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules'],
  })) {
    names.push(...readTestNames(path, await readFile(join(root, path), 'utf8')))
  }
  const citation = / \((?:product|decision|CONTRIBUTING|RFC) [^()]*\)$/
  expect(names.length).toBeGreaterThan(1000)
  expect(names.filter((name) => name.replace(citation, '').length > 80)).toEqual([])
  expect(names.filter((name) => /^(?:product|decision|CONTRIBUTING|\d+\.\d)/i.test(name))).toEqual([])
})
