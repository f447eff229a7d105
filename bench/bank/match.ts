import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { AutoPolicy } from '#server/features/bank/matching/auto-apply.ts'
import { makeLines } from './lines.ts'
import { emptyScore, type Fault, type Score, scoreLines } from './score.ts'
import { isMix } from './people.ts'
import { isNumbering, makeDataset } from './dataset.ts'

/**
 * How many bank lines are matched rightly, on worlds whose truth is known. `node bench/bank/match.ts 1 2 3 4 5 6`. The rules
 * were tuned on seeds 1 and 7 to 20, so the sum is that of the others; `--write` puts it into bench/README.md. `--faults 20` prints the first wrong ones of each seed, `--missed` those
 * alone whose truth is not among the first three. `--mix scripts` has members whose names are in Greek, Cyrillic, Hangul or Arabic.
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    numbering: { type: 'string', default: 'demo' },
    mix: { type: 'string', default: 'usual' },
    combined: { type: 'boolean', default: false },
    initial: { type: 'boolean', default: false },
    kinds: { type: 'boolean', default: false },
    faults: { type: 'string', default: '0' },
    missed: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const isTuned = (seed: number) => seed === 1 || (seed >= 7 && seed <= 20)
const seeds = positionals.length > 0 ? positionals.map(Number) : [1, 2, 3, 4, 5, 6]
const policy: AutoPolicy = {
  autoApply: true,
  autoCombined: options.combined,
  autoRemainder: false,
  payerName: options.initial ? 'initial' : 'same',
  maxAutoAmount: null,
}

const toPercent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)

const describeScore = (score: Score) => ({
  lines: score.lines,
  'for orders': score.forOrders,
  auto: score.auto,
  'auto right': toPercent(score.autoRight, score.forOrders),
  'of clean': toPercent(score.autoRightClean, score.cleanNamed),
  'of all clean': toPercent(score.autoRightClean, score.clean),
  wrong: score.autoWrong,
  'against policy': score.againstPolicy,
  'top-1 of the rest': toPercent(score.first, score.left),
  'top-3': toPercent(score.firstThree, score.left),
  'unrelated as likely': `${score.unrelatedLikely} of ${score.unrelated}`,
  outcome: toPercent(score.rightOutcome, score.withOutcome),
})

/** What bench/README.md has of the sum, with the aim of each. */
const figures: [what: string, aim: string, show: (score: Score) => string][] = [
  [
    'applied rightly without a person, of all credits for orders',
    '45 %',
    (of) => toPercent(of.autoRight, of.forOrders),
  ],
  ['the same, of the clean ones whose bank says who paid', '84 %', (of) => toPercent(of.autoRightClean, of.cleanNamed)],
  ['the same, of all clean ones', '–', (of) => toPercent(of.autoRightClean, of.clean)],
  ['applied wrongly', '0', (of) => `${of.autoWrong} of ${of.auto}`],
  ['applied against the policy', '0', (of) => String(of.againstPolicy)],
  ['of the rest, the truth is the first candidate', '97 %', (of) => toPercent(of.first, of.left)],
  ['of the rest, the truth is among the first three', '99 %', (of) => toPercent(of.firstThree, of.left)],
  ['unrelated credits offered as likely', '1 %', (of) => `${of.unrelatedLikely} of ${of.unrelated}`],
]

/** Puts the sum in the place of the one before it, with its seeds and the commit that it is of. */
function writeTable(score: Score) {
  const file = new URL('../README.md', import.meta.url)
  const text = readFileSync(file, 'utf8')
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const hasChanges = git('status', '--porcelain', '--', 'src', 'demo', 'bench/bank') !== ''
  const commit = `${git('rev-parse', '--short=8', 'HEAD')}${hasChanges ? ' and changes' : ''}`
  const of = `seeds ${seeds.filter((seed) => !isTuned(seed)).join(', ')}; ${new Date().toISOString().slice(0, 10)} ${commit}`
  const rows = figures.map(([what, aim, show]) => `| ${what} | ${aim} | ${show(score)} |`)
  const start = text.indexOf('| Bank lines | Aim |')
  const end = text.indexOf('\n\n', start)
  const table = [`| Bank lines | Aim | ${of} |`, '|---|---|---|', ...rows].join('\n')
  writeFileSync(file, text.slice(0, start) + table + text.slice(end))
}

const isMissed = ({ place }: Fault) => place === 0 || place > 3

function addScore(sum: Score, score: Score) {
  for (const name of Object.keys(sum) as (keyof Score)[]) sum[name] += score[name]
}

if (!isMix(options.mix)) throw new Error(`There is no mix ${options.mix}`)
if (!isNumbering(options.numbering)) throw new Error(`There is no numbering ${options.numbering}`)
const table: Record<string, ReturnType<typeof describeScore>> = {}
const total = emptyScore()
const totalOfKinds = new Map<string, Score>()
for (const seed of seeds) {
  const dataset = makeDataset(seed, options.numbering, options.mix)
  const { score, kinds, faults } = scoreLines(dataset, await makeLines(dataset), policy)
  table[`seed ${seed}`] = describeScore(score)
  const told = options.missed ? faults.filter(isMissed) : faults
  for (const fault of told.slice(0, Number(options.faults))) console.log(JSON.stringify(fault))
  if (isTuned(seed)) continue
  addScore(total, score)
  for (const [kind, ofKind] of kinds) {
    const sum = totalOfKinds.get(kind) ?? emptyScore()
    totalOfKinds.set(kind, sum)
    addScore(sum, ofKind)
  }
}
table['not tuned on'] = describeScore(total)
if (options.kinds)
  console.table(Object.fromEntries([...totalOfKinds].map(([kind, score]) => [kind, describeScore(score)])))
console.table(table)
if (options.write) writeTable(total)
