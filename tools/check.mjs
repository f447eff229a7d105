import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { checkSizes } from './build.mjs'
import { checkCodeSize } from './code-size.mjs'
import { run, say } from './process.mjs'
import { test } from './test.mjs'

/** Runs every check, even after failures, and reports each at the end. `--fast` leaves out the tests. */
export async function check(node, args) {
  const configurations = readdirSync('.').filter((name) => /^tsconfig(\..+)?\.json$/.test(name))
  const tool =
    (path, ...options) =>
    () =>
      run(node, [`node_modules/${path}`, ...options], { quiet: true })
  const checks = [
    ['lock file', checkLockFile],
    ['format', tool('oxfmt/bin/oxfmt', '--check')],
    ['lint', checkLint(tool('oxlint/bin/oxlint', '--type-aware', '--deny-warnings'))],
    ...configurations.map((name) => [`types (${name})`, tool('typescript/bin/tsc', '-p', name)]),
    ['size of the code', checkCodeSize],
    ['unused code', tool('knip/bin/knip.js')],
    ['documents, dependencies and shape', tool('vitest/vitest.mjs', 'run', '--project=repository')],
  ]
  if (!args.includes('--fast')) checks.push(['first load', () => checkSizes(node)], ['tests', () => test(node, [])])

  const results = []
  for (const [name, work] of checks) {
    const start = Date.now()
    const hasPassed = (await work()) === 0
    const line = `${hasPassed ? 'ok    ' : 'FAILED'} ${((Date.now() - start) / 1000).toFixed(1).padStart(6)} s  ${name}`
    say(line)
    results.push({ hasPassed, line })
  }
  const failed = results.filter((result) => !result.hasPassed)
  say(failed.length === 0 ? 'all checks passed' : `${failed.length} of ${results.length} checks failed:`)
  for (const { line } of failed) say(line)
  return failed.length === 0 ? 0 : 1
}

/** npm may write a lock file without other systems' packages. Then npm ci fails on those systems only. */
async function checkLockFile() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const isLocked = (path, name) => {
    for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
      if (packages[`${folder}${folder ? '/' : ''}node_modules/${name}`]) return true
      if (!folder.includes('/node_modules/')) return Boolean(packages[`node_modules/${name}`])
    }
  }
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(path, name))
      .map((name) => `${name} (of ${path || 'package.json'})`),
  )
  if (missing.length > 0) say(`package-lock.json lacks ${missing.join(', ')}: take a version whose packages all exist`)
  return missing.length > 0 ? 1 : 0
}

/** Without a .gitignore the linter would read node_modules and fail on it. */
function checkLint(lint) {
  return async () => {
    if (existsSync('.gitignore')) return lint()
    say('there is no .gitignore, which tells the linter what to leave out')
    return 1
  }
}
