import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { build } from './build.mjs'
import { chromium } from './chromium.mjs'
import { installApiClients } from './install.mjs'
import { run, say } from './process.mjs'

// Absolute, because each runner has its own root.
const reportOf = (runner) => resolve('.cache', `${runner}.json`)

/**
 * Runs all tests, repeats the failed ones at the end, and prints the total as one line `N passed, N failed`. `--unit` and `--e2e`
 * run one part. Any other argument filters that part, by default the unit tests. Resolves to the exit code.
 */
export async function test(node, args) {
  const filters = args.filter((arg) => arg !== '--unit' && arg !== '--e2e')
  const wantsBrowser = args.includes('--e2e') || (!args.includes('--unit') && filters.length === 0)
  const wantsUnit = args.includes('--unit') || !args.includes('--e2e')
  mkdirSync('.cache', { recursive: true })

  // Fetching a browser may take a while, so it runs beside the unit tests.
  const browser = wantsBrowser ? attempt(chromium(node)) : null
  const pages = await attempt(build(node))
  const results = [pages.result]
  if (wantsUnit) results.push((await attempt(installApiClients())).result)
  if (wantsUnit) results.push(await unitTests(node, filters))
  if (browser) {
    const { value: env, result } = await browser
    const canRun = env && pages.result.failed === 0
    results.push(canRun ? await browserTests(node, wantsUnit ? [] : filters, env) : result)
  }

  // The browser's runner writes last and names its own.
  for (const failure of results.flatMap((result) => result.failures ?? [])) console.log(failure)
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  if (passed + failed === 0) say('no test ran')
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 || passed === 0 ? 1 : 0
}

/** A failed preparation is reported and counts as one failure. The other tests still run. */
async function attempt(preparation) {
  try {
    return { value: await preparation, result: { passed: 0, failed: 0 } }
  } catch (error) {
    say(error.message)
    return { result: { passed: 0, failed: 1, failures: [error.message] } }
  }
}

async function unitTests(node, filters) {
  const file = reportOf('vitest')
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=./tools/vitest-summary.mjs']
  const env = { VITEST_SUMMARY: file }
  const code = await run(node, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...filters], { env })
  return count(code, file, ({ passed, failures }) => ({ passed, failed: failures.length, failures }))
}

async function browserTests(node, filters, env) {
  const file = reportOf('playwright')
  rmSync(file, { force: true })
  const code = await run(node, ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...filters], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  })
  return count(code, file, ({ stats, errors }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
  }))
}

/** A failed runner counts as one failure if no test failed, so that a total never looks better than it is. */
function count(code, report, read) {
  const told = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : { passed: 0, failed: 0 }
  if (code === 0 || told.failed > 0) return told
  return { ...told, failed: 1, failures: [`${basename(report, '.json')} ended with ${code}, although no test failed`] }
}
