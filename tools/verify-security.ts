import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chapters } from '#test/security/chapters.ts'
import { type CheckResult, sumUpChecks, sumUpRequirements } from '#test/security/summary.ts'
import { listRequirements, type TestResult, writeReport } from '#test/security/report.ts'
import { threats } from '#test/security/threats.ts'

const root = join(import.meta.dirname, '..')
const { values: options } = parseArgs({ options: { url: { type: 'string' }, username: { type: 'string' } } })

const reports = {
  unit: resolve('.cache/verify-unit.json'),
  browser: resolve('.cache/verify-browser.json'),
  elsewhere: resolve('.cache/verify-elsewhere.json'),
}
const ownTests = 'test/security/'

async function run(args: string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

interface UnitReport {
  testResults: { name: string; assertionResults: CheckResult[] }[]
}
interface BrowserSuite {
  file: string
  specs: { title: string; ok: boolean }[]
  suites?: BrowserSuite[]
}

const readUnit = (): TestResult[] =>
  (JSON.parse(readFileSync(reports.unit, 'utf8')) as UnitReport).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, status }) => ({ file: relative(root, name), title, ok: status === 'passed' })),
  )

const readSuite = ({ file, specs, suites = [] }: BrowserSuite): TestResult[] => [
  ...specs.map(({ title, ok }) => ({ file: `test/e2e/${file}`, title, ok })),
  ...suites.flatMap(readSuite),
]
const readBrowser = (): TestResult[] =>
  (JSON.parse(readFileSync(reports.browser, 'utf8')) as { suites: BrowserSuite[] }).suites.flatMap(readSuite)

/** Runs the live checks alone, against a console that is up. Ends with 3 where none failed and not all that can be were made. */
async function checkElsewhere(url: string): Promise<number> {
  const env = { VERIFY_URL: url, VERIFY_USERNAME: options.username ?? '' }
  if (!options.username || !process.env.VERIFY_PASSWORD) {
    console.error('--url needs --username and the password in VERIFY_PASSWORD, of an operator who may read members;')
    console.error('where he has an authenticator app, as AUTH_MFA=required wants, its secret in VERIFY_TOTP_SECRET too')
    return 2
  }
  const test = `${ownTests}live-checks.test.ts`
  mkdirSync('.cache', { recursive: true })
  rmSync(reports.elsewhere, { force: true })
  const output = ['--reporter=verbose', '--reporter=json', `--outputFile.json=${reports.elsewhere}`]
  const code = await run(['node_modules/vitest/vitest.mjs', 'run', test, ...output], env)
  if (!existsSync(reports.elsewhere)) return code || 1
  const { testResults } = JSON.parse(readFileSync(reports.elsewhere, 'utf8')) as UnitReport
  const { lines, exitCode } = sumUpChecks(testResults.flatMap(({ assertionResults }) => assertionResults))
  console.log(lines.join('\n'))
  return code === 0 ? exitCode : 1
}

/** Runs everything that a requirement names, and writes the report. */
async function checkAll(): Promise<number> {
  const begun = Date.now()
  const files = new Set(
    [...listRequirements(chapters), ...threats].flatMap(({ proofs }) =>
      proofs.flatMap((proof) => (proof.kind === 'tests' ? proof.file : [])),
    ),
  )
  const [browser, unit] = [
    [...files].filter((file) => file.endsWith('.e2e.ts')),
    [...files].filter((file) => file.endsWith('.test.ts')),
  ]
  mkdirSync('.cache', { recursive: true })
  const written = [reports.unit, reports.browser]
  for (const file of written) rmSync(file, { force: true })
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${reports.unit}`]
  const codes = [
    await run(['node_modules/vitest/vitest.mjs', 'run', ...output, ownTests, ...unit]),
    await run(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...browser], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: reports.browser,
    }),
  ]
  if (!written.every((file) => existsSync(file))) return 1
  const minutes = Math.ceil((Date.now() - begun) / 60_000)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const results = [...readUnit(), ...readBrowser()]
  const { text, failed } = writeReport({ chapters, threats, results, commit, minutes })
  writeFileSync(join(root, 'docs/security-report.md'), text)
  for (const { id, claim, reason } of failed) console.error(`${id} ${claim}: ${reason}`)
  const { line, exitCode } = sumUpRequirements(failed.length, codes)
  console.log(line)
  return exitCode
}

process.exitCode = options.url ? await checkElsewhere(options.url) : await checkAll()
