import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { chromium } from './chromium.mjs'
import { installApiClients, installOlderPostgres } from './install.mjs'
import { Failure, run, say } from './process.mjs'
import { inRunFolder } from './run-folder.mjs'
import { verifySteady } from './steady.mjs'
import { browserTests, runTests, unitTests } from './test.mjs'

const file = 'docs/verification.md'

/** Verifications that are tests: name, what they prove, and the parts that `runTests` takes. */
const tested = (ring, proves, ...parts) => ({ ring, proves, run: (node) => runTests(node, parts) })
/** The unit tests of the rules on an older PostgreSQL. */
const testsOnPostgres = (version) =>
  unitTests(['--project=rules'], async () => {
    await installOlderPostgres()
    process.env.TEST_POSTGRES = resolve(`test/older-postgres/node_modules/postgres-${version}/native`)
  })
/** Verifications that are a program of their own. */
const program = (proves, path, needsBrowser = false) => ({
  ring: 3,
  proves,
  async run(node, args) {
    await build(node)
    const env = needsBrowser ? await chromium(node) : {}
    const { value, leftBehind } = await inRunFolder(() => run(node, [path, ...args], { env }))
    for (const line of leftBehind) say(`still running after the verification: ${line}`)
    return value || (leftBehind.length > 0 ? 1 : 0)
  },
})

/** Everything that is proven by a command other than `npm test`. Ring 2 is part of the check of a clone, `.ci/run`. */
export const verifications = {
  processes: tested(
    2,
    'what starts, is stopped, killed, cut off or upgraded stays whole; each change at each of its statements; bank lines are matched as well as stated',
    unitTests(['--project=processes']),
  ),
  screens: tested(
    2,
    'how money, identity and access are decided on the screens, beyond the main rules',
    browserTests(['--project=screens']),
  ),
  views: tested(
    3,
    'lists, figures, searches, logs and exports, beyond the main rules, and what a page does offline',
    browserTests(['--project=views']),
  ),
  look: tested(
    3,
    'no screen is cut, covered or too small: 13 widths, large text, forced colours, right to left, print',
    browserTests(['--project=look']),
  ),
  stories: tested(
    3,
    'long stories over several processes: sign-in at a provider, a platform, a chain, two operators, a first day, a day by keyboard, 100 bank lines',
    browserTests(['--project=stories']),
  ),
  backups: tested(
    3,
    'back-ups and restores, damaged, killed, upgraded, to an instant',
    unitTests(['--project=backups']),
  ),
  pooler: tested(3, 'a console behind PgBouncer', unitTests(['--project=pooler'])),
  operating: tested(
    3,
    'the commands of the handbook for operators, one after the other, on a PostgreSQL of this machine',
    unitTests(['--project=operating']),
  ),
  stores: tested(3, 'documents and back-ups on OpenStack Swift', unitTests(['--project=stores'])),
  clients: tested(
    3,
    "the API's description, read by linters and by generators of clients",
    unitTests(['--project=clients'], () => installApiClients()),
  ),
  postgres: tested(3, 'the rules on PostgreSQL 15, 16 and 17 too', ...['15', '16', '17'].map(testsOnPostgres)),
  security: program('each security requirement, and that a planted fault is found', 'tools/verify-security.ts', true),
  faults: program('what was acknowledged is there after kills, cuts and full disks', 'tools/verify-faults.ts'),
  scale: program('several servers and a standby: one dies, the others go on', 'tools/verify-scale.ts'),
  steady: {
    ring: 3,
    proves: '`npm test` is green in any order of files and on a busy machine',
    run: (node, args) => verifySteady(node, args),
  },
}

/** Runs a verification, and writes down when it was green. Resolves to the exit code. */
export async function verifyOne(node, name, args) {
  const { run: prove } = verifications[name]
  const begun = Date.now()
  const code = await prove(node, args)
  // A part of a verification proves a part.
  if (code === 0 && (args.length === 0 || name === 'steady'))
    writeGreen(name, Math.round((Date.now() - begun) / 1000), args)
  return code
}

/** `npm run verify -- --list`, or with names: runs these one after the other, up to the first that fails. */
export async function verify(node, args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { list: { type: 'boolean', default: false } },
  })
  const unknown = positionals.filter((name) => !Object.hasOwn(verifications, name))
  if (unknown.length > 0) throw new Failure(`there is no verification "${unknown[0]}": see npm run verify -- --list`)
  if (values.list || positionals.length === 0) console.log(writeTable(readGreen()))
  for (const name of positionals) {
    const code = await verifyOne(node, name, [])
    if (code !== 0) return code
  }
  return 0
}

const head = `| Command | Ring | Proves | Takes | Last green |
| --- | --- | --- | --- | --- |`

/** The table of the document; `green` says how long each took and when it was green last. */
const writeTable = (green) =>
  [
    head,
    ...Object.entries(verifications).map(([name, { ring, proves }]) => {
      const { takes = '', last = 'never' } = green.get(name) ?? {}
      return `| \`npm run verify:${name}\` | ${ring} | ${proves} | ${takes} | ${last} |`
    }),
  ].join('\n')

function readGreen() {
  const rows = existsSync(file)
    ? readFileSync(file, 'utf8').matchAll(/^\| `npm run verify:(\w+)` .*\| (.*) \| (.*) \|$/gm)
    : []
  return new Map([...rows].map(([, name, takes, last]) => [name, { takes, last }]))
}

const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim()

function writeGreen(name, seconds, args) {
  const commit = git('rev-parse', '--short=8', 'HEAD') || 'no commit'
  const hasChanges = git('status', '--porcelain', '--', '.', `:!${file}`) !== ''
  const takes = seconds < 90 ? `${seconds} s` : `${(seconds / 60).toFixed(1)} min`
  const last = [new Date().toISOString().slice(0, 10), `${commit}${hasChanges ? ' and changes' : ''}`, ...args].join(
    ' ',
  )
  const green = readGreen().set(name, { takes, last })
  const text = existsSync(file) ? readFileSync(file, 'utf8') : `${head}\n`
  const start = text.indexOf(head)
  const rest = text
    .slice(start)
    .split('\n')
    .findIndex((line) => !line.startsWith('|'))
  const after = rest < 0 ? [] : text.slice(start).split('\n').slice(rest)
  writeFileSync(file, [`${text.slice(0, start)}${writeTable(green)}`, ...after].join('\n'))
}
