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

const isText = (value: unknown): value is string => typeof value === 'string'

const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
/** `under_review`. A single word may be typed text. */
const machineWord = /^[a-z]+(_[a-z]+)+$/

/** Formats a value for reading. Typed text stays as it is. */
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

/** The lines of an action: its facts, and its changes from `before` to `after`. */
export function buildDetailLines(details: Record<string, unknown>): DetailLine[] {
  const { call, ...result } = details
  if (typeof call === 'string') return buildCallLines(call, result)
  const { before, after, ...facts } = details
  if (isRecord(before) && isRecord(after)) return [...listFacts(facts), ...listChanges(before, after)]
  // A single value that has no name of its own.
  if (isText(before) && isText(after))
    return [...listFacts(facts), { label: 'Changed', from: formatValue(before), to: formatValue(after) }]
  // A created entity has no state before.
  return listFacts({ ...facts, ...(isRecord(after) ? { before, ...after } : { before, after }) })
}

/** The lines of a platform call: `PUT /members/{id}: created`, `PUT /members/{id}: 409 conflict`. */
function buildCallLines(
  call: string,
  { outcome, status, code, fields, ...facts }: Record<string, unknown>,
): DetailLine[] {
  const outcomeParts = [outcome, status, code].filter((part) => typeof part === 'string' || typeof part === 'number')
  return [
    { label: call, to: outcomeParts.join(' ').replaceAll('_', ' ') || 'done' },
    // In the platform's spelling, so that they can be found there.
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
