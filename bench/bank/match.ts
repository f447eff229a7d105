import { parseArgs } from 'node:util'
import type { AutoPolicy } from '#server/features/bank/matching/auto.ts'
import { makeLines } from './lines.ts'
import { emptyScore, type Fault, type Score, scoreLines } from './score.ts'
import { isMix } from './people.ts'
import { isNumbering, makeWorld } from './world.ts'

/**
 * How many bank lines are matched rightly, on worlds whose truth is known. `node bench/bank/match.ts 1 2 3 4 5 6`. The rules
 * were tuned on seed 1, so the mean is that of the others. `--faults 20` prints the first wrong ones of each seed, `--missed` those
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
  },
})
const tunedSeed = 1
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
  'of clean': toPercent(score.autoRightClean, score.clean),
  wrong: score.autoWrong,
  'against policy': score.againstPolicy,
  'top-1 of the rest': toPercent(score.first, score.left),
  'top-3': toPercent(score.firstThree, score.left),
  'unrelated as likely': `${score.unrelatedLikely} of ${score.unrelated}`,
  outcome: toPercent(score.rightOutcome, score.withOutcome),
})

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
  const world = makeWorld(seed, options.numbering, options.mix)
  const { score, kinds, faults } = scoreLines(world, await makeLines(world), policy)
  table[`seed ${seed}`] = describeScore(score)
  const told = options.missed ? faults.filter(isMissed) : faults
  for (const fault of told.slice(0, Number(options.faults))) console.log(JSON.stringify(fault))
  if (seed === tunedSeed) continue
  addScore(total, score)
  for (const [kind, ofKind] of kinds) {
    const sum = totalOfKinds.get(kind) ?? emptyScore()
    totalOfKinds.set(kind, sum)
    addScore(sum, ofKind)
  }
}
table[`all but seed ${tunedSeed}`] = describeScore(total)
if (options.kinds)
  console.table(Object.fromEntries([...totalOfKinds].map(([kind, score]) => [kind, describeScore(score)])))
console.table(table)
