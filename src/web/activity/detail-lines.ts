import { documentLabels } from '#contract/kyc-parts.ts'
import { kycStatusLabels } from '#contract/kyc.ts'
import { orderStatusLabels } from '#contract/order-moves.ts'
import { roleLabels } from '#contract/permissions.ts'
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

/** The words that screens have for the states of fields. */
const labels: Record<string, Record<string, string>> = {
  kycStatus: kycStatusLabels,
  kycBanned: { true: 'Banned', false: 'Active' },
  status: orderStatusLabels,
  role: roleLabels,
  kind: documentLabels,
}
const isDocument = ({ kind }: Record<string, unknown>) => isText(kind) && kind in documentLabels

const nameField = (name: string) => (name === 'kycBanned' ? 'Status' : formatMachineName(name))

/** Formats a value for reading. Typed text stays as it is. */
function formatValue(value: unknown, name = ''): string {
  const label = labels[name]?.[String(value)]
  if (label !== undefined) return label
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') {
    if (instantForm.test(value)) return formatInstant(value)
    return machineWord.test(value) ? formatMachineName(value) : value
  }
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((each) => formatValue(each)).join(', ')
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
  if (isRecord(before) && isRecord(after)) {
    const { bannedReason, ...changed } = after
    // The reason of a ban stands among the facts already.
    return [...listFacts(facts), ...listChanges(before, bannedReason === facts.reason ? changed : after)]
  }
  // A single value that has no name of its own.
  if (isText(before) && isText(after))
    return [
      ...listFacts(facts),
      { label: 'Changed', from: formatValue(before, 'role'), to: formatValue(after, 'role') },
    ]
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
    // What kind of document it is says more than its path.
    .filter(([name]) => name !== 'documentPath' || !isDocument(facts))
    .map(([name, value]) => ({
      label: name === 'kind' && isDocument(facts) ? 'Document' : nameField(name),
      to: formatValue(value, name),
    }))

function listChanges(before: Record<string, unknown>, after: Record<string, unknown>): DetailLine[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .map((name) => ({
      label: nameField(name),
      from: formatValue(before[name], name),
      to: formatValue(after[name], name),
    }))
    .filter(({ from, to }) => from !== to)
}
