import type { Scenario, ScenarioResult } from './scenario.ts'

export interface Finding {
  scenario: Scenario
  /** Undefined if it could not run here; `obstacle` says why. */
  result: ScenarioResult | undefined
  obstacle: string | undefined
  seconds: number
}

const row = (cells: readonly (string | number)[]) =>
  `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
const table = (heads: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [heads, heads.map(() => '---'), ...rows].map(row).join('\n')

const count = (number: number) => number.toLocaleString('en')
const milliseconds = (number: number | undefined) => (number === undefined ? '–' : `${count(Math.round(number))} ms`)

/** The middle one, or the upper of the two in the middle. */
export const median = (numbers: readonly number[]): number | undefined =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]

const longest = (numbers: readonly number[]) => (numbers.length > 0 ? Math.max(...numbers) : undefined)

function listCells({ scenario, result, obstacle }: Finding): (string | number)[] {
  if (!result) return [scenario.title, '–', '–', '–', '–', '–', '–', '–', '–', `not run: ${obstacle}`]
  const { rounds, acknowledged, refused, unknown, lost, doubled, recovery, violations } = result
  return [
    scenario.title,
    ...[rounds, acknowledged, refused, unknown, lost, doubled].map(count),
    milliseconds(median(recovery)),
    milliseconds(longest(recovery)),
    violations.length === 0 ? 'yes' : '**no**',
  ]
}

const heads = [
  'Rounds',
  'Acknowledged',
  'Refused',
  'Unknown',
  'Lost',
  'Doubled',
  'Recovery, median',
  'at most',
  'Holds',
]

const listFigures = ({ scenario, result }: Finding) =>
  Object.entries(result?.figures ?? {}).map(([what, figure]) => [scenario.title, what, figure])

/** One line of the terminal. */
export function summarize({ scenario, result, obstacle, seconds }: Finding): string {
  const time = `${seconds.toFixed(1).padStart(6)} s`
  if (!result) return `not run        ${scenario.name}: ${obstacle}`
  const { rounds, acknowledged, refused, unknown, lost, doubled, recovery, figures, violations } = result
  const facts = [
    `${count(rounds)} rounds`,
    `${count(acknowledged)} acknowledged`,
    `${count(refused)} refused`,
    `${count(unknown)} unknown`,
    `${lost} lost`,
    `${doubled} doubled`,
    ...(recovery.length > 0
      ? [`recovery ${milliseconds(median(recovery))}, at most ${milliseconds(longest(recovery))}`]
      : []),
    ...Object.entries(figures).map(([what, figure]) => `${what} ${figure}`),
  ]
  return `${violations.length === 0 ? 'ok    ' : 'FAILED'} ${time}  ${scenario.name}: ${facts.join(', ')}`
}

/** What each scenario found, and its further figures, as Markdown. `what` names what a scenario does. */
export const writeTables = (
  what: string,
  findings: readonly Finding[],
): string => `${table([what, ...heads], findings.map(listCells))}

## Further figures
${table([what, 'What', 'Figure'], findings.flatMap(listFigures))}`

/** The report as Markdown. */
export const writeReport = (findings: readonly Finding[]): string => `# Faults report

Written by \`npm run verify:faults -- --report\`, which makes these faults against a console with a PostgreSQL of its own, as a process,
with the settings of production (\`fsync\` and \`synchronous_commit\` on).
Clients change members, KYC, orders, payments, imports and results all the while and keep a history. A call is **acknowledged** (its
whole answer came), **refused** (the answer says that nothing was changed, or there was no connection), or **unknown** (the
answer broke off). What failed is tried again with the same call; half of the unknown ones are left.

Afterwards each change is looked for in the database: an acknowledged one is there once, with its audit row, its event and its
message; a refused one has left nothing; an unknown one is there wholly or not at all. Events stand in the transaction of
their audit row, the platform's endpoint has got each of them, in order per entity, and none of a change that was not made. Received and
applied money are the sums of their parts, lists count what they hold, and \`audit verify\` finds the log as it was sealed.
Recovery is the time from the fault (of a disk, a network, a database that was away: from its end) to the first change that is acknowledged again.

## Faults
${writeTables('Fault', findings)}

SIGKILL leaves the page cache of the system, so this does not prove that a power cut loses nothing: that rests on \`fsync\` of PostgreSQL
and on the disk.
`
