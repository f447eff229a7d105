import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Finding, summarize } from './report.ts'
import type { Scenario, ScenarioResult } from './scenario.ts'
import { Workspace } from './workspace.ts'

const root = join(import.meta.dirname, '../..')

/** A program that runs scenarios, as `npm run` starts it. */
export interface ScenarioProgram {
  scenarios: readonly Scenario[]
  /** Where the latest result of each is kept, below `.cache`. */
  cacheName: string
  /** What the last line says where every scenario holds. */
  verdict: string
  /** Writes all latest results to a page. */
  report?: { file: string; write: (findings: readonly Finding[]) => string }
}

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

async function runScenario(scenario: Scenario, workspace: Workspace, asked: string | undefined): Promise<Finding> {
  const obstacle = scenario.findObstacle?.()
  if (obstacle !== undefined) return { scenario, result: undefined, obstacle, seconds: 0 }
  const begun = performance.now()
  const rounds = asked === undefined ? scenario.rounds : Number(asked)
  const result = await scenario.run({ workspace, rounds }).catch(failed)
  return { scenario, result, obstacle, seconds: (performance.now() - begun) / 1000 }
}

const resultFile = (cacheName: string, name: string) => join(root, '.cache', cacheName, `${name}.json`)

function keepResult(cacheName: string, { scenario, ...rest }: Finding): void {
  mkdirSync(join(root, '.cache', cacheName), { recursive: true })
  writeFileSync(resultFile(cacheName, scenario.name), JSON.stringify(rest))
}

/** The latest result, so that a report can be of several runs. */
function readResult(cacheName: string, scenario: Scenario): Finding {
  const file = resultFile(cacheName, scenario.name)
  if (!existsSync(file)) return { scenario, result: undefined, obstacle: 'not asked for', seconds: 0 }
  return { scenario, ...(JSON.parse(readFileSync(file, 'utf8')) as Omit<Finding, 'scenario'>) }
}

async function runAll(
  { scenarios, cacheName, verdict, report }: ScenarioProgram,
  chosen: readonly Scenario[],
  { rounds, isReported }: { rounds: string | undefined; isReported: boolean },
): Promise<number> {
  const workspace = new Workspace()
  process.once('exit', () => workspace.remove())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  await workspace.prepare()
  const findings: Finding[] = []
  for (const scenario of chosen) {
    const finding = await runScenario(scenario, workspace, rounds)
    findings.push(finding)
    keepResult(cacheName, finding)
    console.log(summarize(finding))
    for (const violation of finding.result?.violations ?? []) console.error(`       ${violation}`)
  }
  if (isReported && report)
    writeFileSync(join(root, report.file), report.write(scenarios.map((scenario) => readResult(cacheName, scenario))))
  const bad = findings.filter(({ result }) => result && result.violations.length > 0)
  console.log(bad.length === 0 ? verdict : `${bad.length} scenarios failed`)
  return bad.length === 0 ? 0 : 1
}

/** Runs the scenarios that the arguments name, then ends the process: 0 where all hold, 1 where one does not, 2 for wrong arguments. */
export async function runScenarios(program: ScenarioProgram): Promise<void> {
  const { scenarios } = program
  const { values: options } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      rounds: { type: 'string' },
      ...(program.report && { report: { type: 'boolean' } }),
    },
  })
  const unknown = (options.only ?? []).filter((name) => scenarios.every((scenario) => scenario.name !== name))
  if (unknown.length > 0 || (options.rounds !== undefined && !/^[1-9]\d{0,4}$/.test(options.rounds))) {
    console.error(`--rounds <n>, --only <name>, of: ${scenarios.map(({ name }) => name).join(', ')}`)
    process.exitCode = 2
    return
  }
  const chosen = scenarios.filter(({ name }) => options.only?.includes(name) ?? true)
  // Whatever a failed scenario left running ends too.
  process.exit(await runAll(program, chosen, { rounds: options.rounds, isReported: Boolean(options.report) }))
}
