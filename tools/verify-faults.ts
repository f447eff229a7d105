import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Finding, summarize, writeReport } from '#test/faults/report.ts'
import type { Scenario, ScenarioResult } from '#test/faults/scenario.ts'
import { scenarios } from '#test/faults/scenarios/all.ts'
import { Workspace } from '#test/faults/workspace.ts'

const root = join(import.meta.dirname, '..')
/** The latest result of each scenario, so that a report can be of several runs. */
const resultFile = (name: string) => join(root, '.cache/faults', `${name}.json`)

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    report: { type: 'boolean' },
  },
})

const failed = (error: unknown): ScenarioResult => ({
  rounds: 0,
  acknowledged: 0,
  refused: 0,
  unknown: 0,
  lost: 0,
  doubled: 0,
  recovery: [],
  figures: {},
  violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
})

async function runScenario(scenario: Scenario, workspace: Workspace): Promise<Finding> {
  const obstacle = scenario.findObstacle?.()
  if (obstacle !== undefined) return { scenario, result: undefined, obstacle, seconds: 0 }
  const begun = performance.now()
  const rounds = options.rounds === undefined ? scenario.rounds : Number(options.rounds)
  const result = await scenario.run({ workspace, rounds }).catch(failed)
  return { scenario, result, obstacle, seconds: (performance.now() - begun) / 1000 }
}

function keepResult({ scenario, ...rest }: Finding): void {
  mkdirSync(join(root, '.cache/faults'), { recursive: true })
  writeFileSync(resultFile(scenario.name), JSON.stringify(rest))
}

/** What this program wrote last of a scenario. */
function readResult(scenario: Scenario): Finding {
  const file = resultFile(scenario.name)
  if (!existsSync(file)) return { scenario, result: undefined, obstacle: 'not asked for', seconds: 0 }
  return { scenario, ...(JSON.parse(readFileSync(file, 'utf8')) as Omit<Finding, 'scenario'>) }
}

async function run(chosen: readonly Scenario[]): Promise<number> {
  const workspace = new Workspace()
  process.once('exit', () => workspace.remove())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  await workspace.prepare()
  const findings: Finding[] = []
  for (const scenario of chosen) {
    const finding = await runScenario(scenario, workspace)
    findings.push(finding)
    keepResult(finding)
    console.log(summarize(finding))
    for (const violation of finding.result?.violations ?? []) console.error(`       ${violation}`)
  }
  if (options.report) writeFileSync(join(root, 'docs/faults-report.md'), writeReport(scenarios.map(readResult)))
  const bad = findings.filter(({ result }) => result && result.violations.length > 0)
  console.log(bad.length === 0 ? 'everything that was acknowledged stands, once' : `${bad.length} scenarios failed`)
  return bad.length === 0 ? 0 : 1
}

const unknown = (options.only ?? []).filter((name) => scenarios.every((scenario) => scenario.name !== name))
if (unknown.length > 0 || (options.rounds !== undefined && !/^[1-9]\d{0,4}$/.test(options.rounds))) {
  console.error(`--rounds <n>, --only <name>, of: ${scenarios.map(({ name }) => name).join(', ')}`)
  process.exitCode = 2
} else {
  // Whatever a failed scenario left running ends too.
  process.exit(await run(scenarios.filter(({ name }) => options.only?.includes(name) ?? true)))
}
