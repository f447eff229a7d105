// The entry of every npm script. Plain JavaScript for Node 20 and up without dependencies, because nothing is installed when it
// first runs. It prepares a fresh clone, then starts the Node of the project.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, vite } from './build.mjs'
import { check } from './check.mjs'
import { chromium, installFonts } from './chromium.mjs'
import { prepare } from './install.mjs'
import { Failure, followSignals, isStopping, run, runTogether, say } from './process.mjs'
import { auditDependencies, writeBillOfMaterials } from './supply-chain.mjs'
import { test } from './test.mjs'
import { verifications, verify, verifyOne } from './verify.mjs'

const help = `Usage: npm run <task> -- [arguments]

  start        install and build what is missing, then start the console
  test         the tests of every rule; -- <filter> runs some unit tests, -- --unit or -- --e2e one part
  check        format, lint, types, unused code, tests; -- --fast leaves out the tests
  build        build the console's pages into dist/web
  dev          start the console, and restart or rebuild it on every change
  admin        manage admins; -- --help says how
  import       read a file of members and what belongs to them; -- --help says how
  example      start the example platform beside a console; examples/platform/README.md says how
  bench        measure the console against a large database
  screenshots  take pictures of every screen
  sbom         write dist/sbom.cdx.json (CycloneDX) and dist/licences.txt of every dependency
  audit        ask the registry for known weaknesses of the dependencies; high and critical ones fail
  access-matrix  write docs/access-matrix.md: which role may make which call
  verify       everything that is proven beside \`npm test\`; -- --list says what each proves and when it was last green, -- <names> runs some
  verify:<name>  one of them: ${Object.keys(verifications).join(', ')}; docs/verification.md says more
  db:generate  write a migration for changed tables; -- --name <what it does>`

// Memory that is free is given back: of the allocator few arenas keep it, and what dies young dies in a small part of the heap.
const production = { env: { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2' }, tied: true }
const server = ['--max-semi-space-size=2', 'src/server/main.ts']

const tasks = {
  async start(node, args) {
    await build(node)
    return run(node, [...server, ...args], production)
  },
  test,
  check,
  build,
  async dev(node, args) {
    await build(node)
    return runTogether(
      () => run(node, [vite, 'build', '--watch', '--logLevel', 'warn']),
      () => run(node, ['--watch', ...server, ...args]),
    )
  },
  admin: (node, args) => run(node, ['src/server/cli/admin.ts', ...args]),
  import: (node, args) => run(node, ['src/server/cli/import.ts', ...args]),
  example: (node) => run(node, ['examples/platform/main.ts']),
  async bench(node, args) {
    await build(node)
    return run(node, [args.includes('--plot') ? 'bench/plot.ts' : 'bench/run.ts', ...args], production)
  },
  async screenshots(node, args) {
    await build(node)
    await installFonts()
    return run(node, ['tools/screenshots.ts', ...args], { env: await chromium(node) })
  },
  sbom: () => writeBillOfMaterials(),
  audit: () => auditDependencies(),
  verify,
  ...Object.fromEntries(
    Object.keys(verifications).map((name) => [`verify:${name}`, (node, args) => verifyOne(node, name, args)]),
  ),
  'access-matrix': (node) => run(node, ['tools/access-matrix.ts']),
  'db:generate': (node, args) => run(node, ['node_modules/drizzle-kit/bin.cjs', 'generate', ...args]),
}

/** What needs no tool for developers. */
const runs = new Set(['start', 'build', 'dev', 'admin', 'import', 'example'])

// The console goes on when what reads its output has gone, and so must what it is tied to.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
process.chdir(dirname(dirname(fileURLToPath(import.meta.url))))
const [name = '--help', ...args] = process.argv.slice(2)
if (name === '--help' || name === '-h') {
  console.log(help)
} else if (!Object.hasOwn(tasks, name)) {
  say(`there is no task "${name}"`)
  console.log(help)
  process.exitCode = 2
} else {
  followSignals()
  try {
    const node = await prepare({ runs: runs.has(name) })
    process.exit((await tasks[name](node, args)) ?? 0)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (!isStopping()) say(error.message) // else it failed because it was stopped
    process.exit(1)
  }
}
