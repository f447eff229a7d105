import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'back-office-supply-chain-'))
afterAll(() => rm(folder, { recursive: true }))

async function runTask(task: string, environment: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, npm_execpath: '', ...environment }
  const ran = await promisify(execFile)(process.execPath, ['tools/run.mjs', task], { cwd: root, env }).catch(
    (error: { code: number; stderr: string }) => error,
  )
  return { code: 'code' in ran ? ran.code : 0, printed: ran.stderr }
}

test('the bill of materials and the licences name every locked package', async () => {
  const { code, printed } = await runTask('sbom')
  expect(code, printed).toBe(0)
  const bill = JSON.parse(await readFile(join(root, 'dist/sbom.cdx.json'), 'utf8')) as {
    specVersion: string
    components: { name: string; version: string; purl: string }[]
  }
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>
  }
  const locked = Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(
      ([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} ${version}`,
    )
  const listed = bill.components.map(({ name, version }) => `${name} ${version}`)
  expect([...new Set(listed)].toSorted()).toEqual([...new Set(locked)].toSorted())
  const licences = await readFile(join(root, 'dist/licences.txt'), 'utf8')
  for (const each of locked) expect(licences).toContain(`\n  ${each}\n`)
  expect(licences).toMatch(/^MIT\n {2}\S/m)
})

/** Stands in for npm, as a registry would have it answer. */
async function answerAs(name: string, report: unknown, exitCode: number) {
  const script = join(folder, `${name}.mjs`)
  await writeFile(script, `console.log(${JSON.stringify(JSON.stringify(report))}); process.exit(${exitCode})`)
  return runTask('audit', { npm_execpath: script })
}
const weakness = (severity: string) => ({ left: { name: 'left', severity, range: '<2.0.0', fixAvailable: true } })

test.each<[string, unknown, number, number, RegExp]>([
  ['no advisory', { metadata: { vulnerabilities: { total: 0 } }, vulnerabilities: {} }, 0, 0, /no advisory is known/],
  [
    'a high one',
    { metadata: { vulnerabilities: { high: 1, total: 1 } }, vulnerabilities: weakness('high') },
    1,
    1,
    /high: left <2\.0\.0 \(a fix is there\)/,
  ],
  [
    'a moderate one',
    { metadata: { vulnerabilities: { high: 0, critical: 0, moderate: 1 } }, vulnerabilities: weakness('moderate') },
    1,
    0,
    /moderate: left/,
  ],
  ['a registry without an answer', { message: '404 Not Found', error: {} }, 1, 0, /nothing is known/],
])('the audit of %s says what is known, and fails for what is urgent', async (name, report, exit, code, text) => {
  const audited = await answerAs(name.replaceAll(' ', '-'), report, exit)
  expect(audited.printed).toMatch(text)
  expect(audited.code).toBe(code)
})

test('no install script of a dependency runs', async () => {
  expect(await readFile(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
})
