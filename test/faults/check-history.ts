import type pg from 'pg'
import type { History, Operation, RecordedCall } from './history.ts'
import { designOf, type Effect, effectStatement, operationKinds, type OperationKind } from './operations.ts'

/** What is wrong about an operation. */
export const violationKinds = [
  /** Acknowledged, and not there. */
  'lost',
  /** There more than once, or acknowledged twice. */
  'doubled',
  /** A part of it is there. */
  'partial',
  /** Refused, and there. */
  'unasked',
  /** Refused because it was done before, and not there. */
  'contradicted',
  /** Acknowledged without an audit row of that call. */
  'unaudited',
  /** Refused though nothing was wrong with it, or answered with a fault. */
  'unexpected',
] as const
export type ViolationKind = (typeof violationKinds)[number]

export interface Violation {
  kind: ViolationKind
  text: string
}

type Presence = 'none' | 'whole' | 'partial' | 'doubled'
const parts = ['state', 'audits', 'events', 'messages'] as const

function classifyEffect(found: Effect, whole: Effect): Presence {
  if (parts.every((part) => found[part] === whole[part])) return 'whole'
  if (parts.every((part) => found[part] === 0)) return 'none'
  return parts.some((part) => found[part] > whole[part]) ? 'doubled' : 'partial'
}

/** Refusals after which a client tries again: something is away, or the same import is still under way. */
const temporaryCodes = new Set([
  'database_unavailable',
  'store_unavailable',
  'busy',
  'overloaded',
  'import_under_way',
  'ECONNREFUSED',
])
export const isTemporary = ({ outcome, code }: Pick<RecordedCall, 'outcome' | 'code'>) =>
  outcome === 'refused' && temporaryCodes.has(code ?? '')
/** The change was made before. */
export const isConflict = (call: Pick<RecordedCall, 'status' | 'outcome' | 'code'>) =>
  call.status === 409 && !isTemporary(call)

/** What the calls of an operation say together with its effect. Undefined where they agree. */
export function judgeOperation(
  { kind }: Pick<Operation, 'kind'>,
  calls: readonly RecordedCall[],
  found: Effect,
): ViolationKind | undefined {
  const { whole, isRepeatable } = designOf(kind)
  const presence = classifyEffect(found, whole)
  if (presence === 'partial' || presence === 'doubled') return presence
  const acknowledged = calls.filter(({ outcome }) => outcome === 'acknowledged').length
  const isOpen = calls.some(({ outcome }) => outcome === 'unknown') || acknowledged > 0
  if (presence === 'none' && acknowledged > 0) return 'lost'
  if (presence === 'none' && calls.some(isConflict)) return 'contradicted'
  if (presence === 'whole' && !isOpen) return 'unasked'
  if (acknowledged > 1 && !isRepeatable) return 'doubled'
  return calls.some((call) => call.outcome === 'refused' && !isConflict(call) && !isTemporary(call))
    ? 'unexpected'
    : undefined
}

/** Any answer that is neither success, a refusal nor a stated 503 is a fault of the server. */
const isFault = ({ status }: RecordedCall) => status !== null && status >= 500 && status !== 503

const describeCalls = (calls: readonly RecordedCall[]) =>
  calls
    .slice(-6)
    .map(({ outcome, status, code }) => [outcome, status, code].filter((each) => each !== null).join(' '))
    .join(', ')

async function checkKind(client: pg.Client, kind: OperationKind, given: [Operation, RecordedCall[]][]) {
  const { rows } = await client.query<Effect>(effectStatement(kind), [
    given.map(([{ target }]) => target),
    given.map(([{ mark }]) => mark),
  ])
  return given.flatMap(([operation, calls], at): Violation[] => {
    const found = rows[at]!
    const violation = calls.some(isFault) ? 'unexpected' : judgeOperation(operation, calls, found)
    if (!violation) return []
    const counts = parts.map((part) => `${part} ${found[part]}`).join(', ')
    const text = `${violation}: ${kind} of ${operation.target} (${operation.mark}): ${counts}; calls: ${describeCalls(calls)}`
    return [{ kind: violation, text }]
  })
}

/** The call that must have done the operation: the only one that was ever acknowledged, with nothing open before it. */
function findCertainCall(calls: readonly RecordedCall[]): RecordedCall | undefined {
  const [first] = calls.filter(({ outcome }) => outcome !== 'refused')
  return first?.outcome === 'acknowledged' ? first : undefined
}

async function checkAudits(client: pg.Client, given: [Operation, RecordedCall[]][]): Promise<Violation[]> {
  const certain = given.flatMap(([operation, calls]) => {
    const requestId = findCertainCall(calls)?.requestId
    return requestId ? [{ operation, requestId }] : []
  })
  const { rows } = await client.query<{ id: string }>(
    'SELECT DISTINCT request_id AS id FROM audit_log WHERE request_id = ANY($1)',
    [certain.map(({ requestId }) => requestId)],
  )
  const audited = new Set(rows.map(({ id }) => id))
  return certain
    .filter(({ requestId }) => !audited.has(requestId))
    .map(({ operation: { kind, target }, requestId }) => ({
      kind: 'unaudited',
      text: `unaudited: ${kind} of ${target}: no audit row of the request ${requestId}`,
    }))
}

/** Compares each operation of a history with what the database holds. Nothing may be under way any more. */
export async function checkHistory(client: pg.Client, { operations }: History): Promise<Violation[]> {
  const all = [...operations]
  const violations: Violation[] = []
  for (const kind of Object.keys(operationKinds) as OperationKind[]) {
    const given = all.filter(([operation]) => operation.kind === kind)
    if (given.length > 0) violations.push(...(await checkKind(client, kind, given)))
  }
  return [...violations, ...(await checkAudits(client, all))]
}
