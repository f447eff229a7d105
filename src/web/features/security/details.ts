import { formatInstant } from '#web/lib/dates.ts'
import { formatMachineName } from '#web/lib/words.ts'

/** One line of what an action did: a fact, or a change `from` → `to`. */
export interface DetailLine {
  label: string
  from?: string
  to: string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
/** `under_review`; one word alone may be what somebody typed. */
const machineWord = /^[a-z]+(_[a-z]+)+$/

/** A value as a person reads it. What people wrote stays as they wrote it. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') {
    if (instantForm.test(value)) return formatInstant(value)
    return machineWord.test(value) ? formatMachineName(value) : value
  }
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(formatValue).join(', ')
  if (isRecord(value) && Object.keys(value).length === 0) return 'none'
  if (isRecord(value))
    return Object.entries(value)
      .map(([name, each]) => `${formatMachineName(name)}: ${formatValue(each)}`)
      .join('; ')
  return typeof value === 'number' ? String(value) : ''
}

/** What an action was given and what it changed, `before` → `after`; what stayed the same is left out. */
export function buildDetailLines(details: Record<string, unknown>): DetailLine[] {
  const { call, ...result } = details
  if (typeof call === 'string') return buildCallLines(call, result)
  const { before, after, ...facts } = details
  if (isRecord(before) && isRecord(after)) return [...listFacts(facts), ...listChanges(before, after)]
  // What was created has no state before.
  return listFacts({ ...facts, ...(isRecord(after) ? { before, ...after } : { before, after }) })
}

/** A call of the platform, and what came of it: `PUT /members/{id}: created`, `PUT /members/{id}: 409 conflict`. */
function buildCallLines(
  call: string,
  { outcome, status, code, fields, ...facts }: Record<string, unknown>,
): DetailLine[] {
  const outcomeParts = [outcome, status, code].filter((part) => typeof part === 'string' || typeof part === 'number')
  return [
    { label: call, to: outcomeParts.join(' ').replaceAll('_', ' ') || 'done' },
    // As the platform wrote them, so that they are found again there.
    ...(Array.isArray(fields) ? [{ label: 'Fields', to: fields.join(', ') }] : []),
    ...listFacts(facts),
  ]
}

const listFacts = (facts: Record<string, unknown>): DetailLine[] =>
  Object.entries(facts)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => ({ label: formatMachineName(name), to: formatValue(value) }))

function listChanges(before: Record<string, unknown>, after: Record<string, unknown>): DetailLine[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .map((name) => ({ label: formatMachineName(name), from: formatValue(before[name]), to: formatValue(after[name]) }))
    .filter(({ from, to }) => from !== to)
}
