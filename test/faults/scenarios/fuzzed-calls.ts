import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as z from 'zod'
import type { Scenario, ScenarioResult } from '#test/faults/scenario.ts'

const root = join(import.meta.dirname, '../../..')
/** Inputs to each API. */
const inputs = 10_000

/** The figures of one API, as `test/fuzz.test.ts` writes them. */
const Report = z.object({
  api: z.string(),
  statuses: z.array(z.tuple([z.number(), z.number()])),
  faults: z.array(z.string()),
})
type Report = z.infer<typeof Report>

const readReports = (file: string): Report[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => Report.parse(JSON.parse(line)))
    : []

const sum = (pairs: Report['statuses'], isWanted: (status: number) => boolean) =>
  pairs.filter(([status]) => isWanted(status)).reduce((total, [, count]) => total + count, 0)

/** The figures of all reports. A run that ended badly, or sent too little, is a violation. */
export function summarizeFuzz(reports: readonly Report[], rounds: number, code: number | null, output: string) {
  const statuses = reports.flatMap((report) => report.statuses)
  const faults = reports.flatMap((report) => report.faults)
  const figures = Object.fromEntries([
    ...reports.map((report): [string, string] => [
      `inputs to the ${report.api} API`,
      String(sum(report.statuses, () => true)),
    ]),
    ['5xx', String(sum(statuses, (status) => status >= 500))],
    ['other than described', String(faults.length)],
  ])
  const short = reports.filter((report) => sum(report.statuses, () => true) < rounds)
  const violations = [
    ...faults.slice(0, 20),
    ...short.map(({ api }) => `the ${api} API got too few inputs`),
    ...(reports.length === 2 ? [] : [`${reports.length} of 2 APIs were fuzzed`]),
    ...(code === 0 || faults.length > 0 ? [] : [`the run ended with ${code}: ${output.slice(-1000)}`]),
  ]
  return { statuses, figures, violations }
}

/** Inputs from our own description of both APIs, the same each time. */
export const fuzzedCalls: Scenario = {
  name: 'fuzzed-calls',
  title: `${inputs.toLocaleString('en')} inputs from the OpenAPI document to each API`,
  rounds: inputs,
  async run({ workspace, rounds }): Promise<ScenarioResult> {
    const report = join(workspace.folder, 'fuzz.jsonl')
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--retry=0', 'test/fuzz.test.ts'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, FUZZ_RUNS: String(rounds), FUZZ_REPORT: report },
    })
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    const { statuses, figures, violations } = summarizeFuzz(
      readReports(report),
      rounds,
      child.exitCode,
      output + errors,
    )
    const acknowledged = sum(statuses, (status) => status < 400)
    const refused = sum(statuses, (status) => status >= 400 && status < 500)
    return { rounds, acknowledged, refused, unknown: 0, lost: 0, doubled: 0, recovery: [], figures, violations }
  },
}
