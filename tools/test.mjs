import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { build } from './build.mjs'
import { chromium } from './chromium.mjs'
import { run, say } from './process.mjs'
import { inRunFolder } from './run-folder.mjs'

// Absolute, because each runner has its own root.
const reportOf = (runner) => resolve('.cache', `${runner}.json`)

/**
 * The tests of every rule, with a total as the last line, `N passed, N failed`. `--unit` and `--e2e` run one part. Any other argument
 * goes to the runner of that part, by default that of the unit tests: a name runs some files of all rings. Resolves to the exit code.
 */
export async function test(node, args) {
  const given = args.filter((arg) => arg !== '--unit' && arg !== '--e2e')
  const hasFilter = given.some((arg) => !arg.startsWith('-'))
  const all = hasFilter ? given : ['--project=rules', ...given]
  const wantsBrowser = args.includes('--e2e') || (!args.includes('--unit') && given.length === 0)
  const wantsUnit = args.includes('--unit') || !args.includes('--e2e')
  return runTests(node, [
    ...(wantsUnit ? [unitTests(all)] : []),
    ...(wantsBrowser ? [browserTests(args.includes('--e2e') ? all : ['--project=rules'])] : []),
  ])
}

/**
 * Runs parts of the tests one after the other and prints the total. What still runs after its tests is a failure too. Resolves to
 * the exit code.
 */
export async function runTests(node, parts) {
  mkdirSync('.cache', { recursive: true })
  process.env.TEST_SEED ??= String(randomInt(1, 2 ** 31))
  // Fetching a browser may take a while, so it runs beside the first part.
  const browser = parts.some(({ needsBrowser }) => needsBrowser) ? attempt(() => chromium(node)) : undefined
  const results = [(await attempt(() => build(node))).result]
  for (const part of parts) {
    const { value: env, result } = part.needsBrowser ? await browser : { value: {}, result: none }
    results.push(result)
    if (result.failed > 0) continue
    const { value, leftBehind } = await inRunFolder(() => part.run(node, env))
    results.push(value)
    if (leftBehind.length > 0)
      results.push({ passed: 0, failed: 1, failures: [`still running after the tests: ${leftBehind.join(' | ')}`] })
  }
  // The browser's runner writes last and names its own.
  for (const failure of results.flatMap((result) => result.failures ?? [])) console.log(failure)
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  if (passed + failed === 0) say('no test ran')
  if (failed > 0) say(`random inputs are the same again with TEST_SEED=${process.env.TEST_SEED}`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 || passed === 0 ? 1 : 0
}

const none = { passed: 0, failed: 0 }

/** A failed preparation is reported and counts as one failure. The other tests still run. */
async function attempt(prepare) {
  try {
    return { value: await prepare(), result: none }
  } catch (error) {
    say(error.message)
    return { result: { passed: 0, failed: 1, failures: [error.message] } }
  }
}

/** A part of `runTests`: Vitest with these arguments, after what `prepare` installs. */
export const unitTests = (args, prepare = async () => {}) => ({
  async run(node) {
    const { result } = await attempt(prepare)
    if (result.failed > 0) return result
    const file = reportOf('vitest')
    rmSync(file, { force: true })
    const reporters = ['--reporter=default', '--reporter=./tools/vitest-summary.mjs']
    const env = { VITEST_SUMMARY: file }
    const code = await run(node, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], { env })
    return count(code, file, ({ passed, failures, skipped }) => {
      for (const name of skipped) say(`skipped: ${name}`)
      return { passed, failed: failures.length, failures }
    })
  },
})

/** A part of `runTests`: Playwright with these arguments. */
export const browserTests = (args) => ({
  needsBrowser: true,
  async run(node, env) {
    const file = reportOf('playwright')
    rmSync(file, { force: true })
    const code = await run(node, ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...args], {
      env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file, PWTEST_CACHE_DIR: resolve('.cache/playwright') },
    })
    return count(code, file, ({ stats, errors }) => ({
      passed: stats.expected,
      failed: stats.unexpected + errors.length,
    }))
  },
})

/** A failed runner counts as one failure if no test failed, so that a total never looks better than it is. */
function count(code, report, read) {
  const told = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : { passed: 0, failed: 0 }
  if (code === 0 || told.failed > 0) return told
  return { ...told, failed: 1, failures: [`${basename(report, '.json')} ended with ${code}, although no test failed`] }
}
