import { setTimeout as pause } from 'node:timers/promises'
import { checkDatabase } from './check-database.ts'
import { checkEvents, readStoredEvents } from './check-events.ts'
import { checkHistory, type Violation, type ViolationKind } from './check-history.ts'
import { History } from './history.ts'
import type { Installation } from './installation.ts'
import type { Workspace } from './workspace.ts'

/** A list that is read from the database and names no member, so that no limit of reading counts it. */
export const readPath = '/api/users?search=nobody'

export interface ScenarioOptions {
  workspace: Workspace
  /** How often the fault is made. */
  rounds: number
}

/** What a scenario found. Nothing in `violations` is how it should be. */
export interface ScenarioResult {
  rounds: number
  acknowledged: number
  refused: number
  unknown: number
  lost: number
  doubled: number
  /** Milliseconds from the fault, or from its end, to the first change that was acknowledged again. */
  recovery: number[]
  /** Further figures, by what they are. */
  figures: Record<string, string>
  violations: string[]
}

export interface Scenario {
  name: string
  /** What is done, and what has to hold. */
  title: string
  /** How often the fault is made, if nothing else is asked for. */
  rounds: number
  /** Why it cannot run here, if it cannot. */
  findObstacle?: () => string | undefined
  run(options: ScenarioOptions): Promise<ScenarioResult>
}

/** Waits until `isTrue`. Throws after `seconds`, with what was waited for. */
export async function waitUntil(what: string, isTrue: () => boolean | Promise<boolean>, seconds = 60): Promise<void> {
  for (const end = performance.now() + seconds * 1000; !(await isTrue()); await pause(5))
    if (performance.now() > end) throw new Error(`not within ${seconds} s: ${what}`)
}

/** Waits for so many further changes, so that a fault hits a console that works. */
export async function waitForChanges(history: History, count: number): Promise<void> {
  const wanted = history.acknowledged.length + count
  await waitUntil(`${count} changes`, () => history.acknowledged.length >= wanted, 120)
}

/** Waits for the first change after `from` that is acknowledged. Returns after how many milliseconds. */
export async function waitForRecovery(history: History, from: number, seconds = 60): Promise<number> {
  let first: number | undefined
  const hasRecovered = () => (first = history.firstAcknowledgedAfter(from)) !== undefined
  await waitUntil('a change that is acknowledged again', hasRecovered, seconds).catch((error: Error) => {
    const last = history.calls.toSorted((one, other) => other.to - one.to).slice(0, 12)
    throw new Error(`${error.message}; the last calls: ${last.map(({ status, code }) => status ?? code).join(', ')}`)
  })
  return first! - from
}

/** The texts of the first violations of each kind, and how many more there are. */
function shorten(texts: string[]): string[] {
  const shown = texts.slice(0, 20)
  return texts.length > shown.length ? [...shown, `and ${texts.length - shown.length} more`] : shown
}

/** Compares a history with database, audit chain and received events, once nothing is under way any more. */
export async function checkInstallation(
  installation: Installation,
  history: History,
): Promise<Pick<ScenarioResult, 'lost' | 'doubled' | 'violations' | 'acknowledged' | 'refused' | 'unknown'>> {
  await installation.settle()
  const { changes, faults, events } = await installation.query(async (client) => ({
    changes: await checkHistory(client, history),
    faults: await checkDatabase(client),
    events: await readStoredEvents(client),
  }))
  const { endpoint } = installation
  const received = endpoint.calls.map((call) => ({
    id: String(call.headers['webhook-id']),
    body: call.body,
    isSigned: endpoint.isSigned(call),
  }))
  const audit = await installation.verifyAudit()
  const ofKind = (wanted: ViolationKind) => changes.filter(({ kind }: Violation) => kind === wanted).length
  const outcomes = Map.groupBy(history.calls, ({ outcome }) => outcome)
  return {
    acknowledged: outcomes.get('acknowledged')?.length ?? 0,
    refused: outcomes.get('refused')?.length ?? 0,
    unknown: outcomes.get('unknown')?.length ?? 0,
    lost: ofKind('lost'),
    doubled: ofKind('doubled'),
    violations: [
      ...shorten(changes.map(({ text }) => text)),
      ...shorten(faults),
      ...shorten(installation.faults).map((line) => `the server logged a failed request: ${line}`),
      ...shorten(checkEvents(events, received)),
      ...(audit.code === 0 ? [] : [`the audit log is not what was sealed: ${audit.text}`]),
    ],
  }
}
