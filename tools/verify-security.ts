import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chapters } from '#test/security/chapters.ts'
import { listRequirements, type TestResult, writeReport } from '#test/security/report.ts'

const root = join(import.meta.dirname, '..')
const { values: options } = parseArgs({ options: { url: { type: 'string' }, username: { type: 'string' } } })

const reports = { unit: resolve('.cache/verify-unit.json'), browser: resolve('.cache/verify-browser.json') }
const ownTests = 'test/security/'

async function run(args: string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

interface UnitReport {
  testResults: { name: string; assertionResults: { title: string; status: string }[] }[]
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

/** Runs the live checks alone, against a console that is up. */
async function checkElsewhere(url: string): Promise<number> {
  const env = { VERIFY_URL: url, VERIFY_USERNAME: options.username ?? '' }
  if (!options.username || !process.env.VERIFY_PASSWORD) {
    console.error('--url needs --username and the password in VERIFY_PASSWORD, of an operator without a second factor')
    return 2
  }
  return run(['node_modules/vitest/vitest.mjs', 'run', `${ownTests}live-checks.test.ts`, '--reporter=verbose'], env)
}

/** Runs everything that a requirement names, and writes the report. */
async function checkAll(): Promise<number> {
  const files = new Set(
    listRequirements(chapters).flatMap(({ proofs }) =>
      proofs.flatMap((proof) => (proof.kind === 'tests' ? proof.file : [])),
    ),
  )
  const [browser, unit] = [
    [...files].filter((file) => file.endsWith('.e2e.ts')),
    [...files].filter((file) => file.endsWith('.test.ts')),
  ]
  mkdirSync('.cache', { recursive: true })
  for (const file of Object.values(reports)) rmSync(file, { force: true })
  await run([
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reports.unit}`,
    ownTests,
    ...unit,
  ])
  await run(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...browser], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: reports.browser,
  })
  if (!Object.values(reports).every((file) => existsSync(file))) return 1
  const { text, failed } = writeReport(chapters, [...readUnit(), ...readBrowser()])
  writeFileSync(join(root, 'docs/security-report.md'), text)
  for (const { id, claim, reason } of failed) console.error(`${id} ${claim}: ${reason}`)
  console.log(
    failed.length === 0
      ? 'docs/security-report.md: every requirement holds'
      : `${failed.length} requirements do not hold`,
  )
  return failed.length === 0 ? 0 : 1
}

process.exitCode = options.url ? await checkElsewhere(options.url) : await checkAll()
