import { passwordChangeRequired } from '#contract/auth.ts'
import { factorRequired, newPlaceStepUp, stepUpRequired } from '#contract/factors.ts'
import { describeMissing } from '#contract/permission-labels.ts'
import { isForAdmins, listPermissions } from '#contract/permissions.ts'
import { describeMissingScope, readScope } from '#contract/scopes.ts'
import type { CallName, NamedRoute } from '#contract/schemas/routes.ts'
import { AppError, type ErrorCode } from '#server/lib/errors.ts'
import { approvalRefusals } from './approval-refusals.ts'
import { bulkRefusals } from './bulk-refusals.ts'
import { refusalTexts } from './refusal-texts.ts'

/** One refusal of a call, with its message. */
export interface DocumentedRefusal {
  status: number
  code: ErrorCode
  message: string
}

const waiting = 'This waits for an approval already (requested by vera on Jan 05, 2026 at 09:00 UTC)'

/** The refusals that every call of a kind can answer. */
/** Calls that read, store or delete files of the document store. */
const fileCalls: ReadonlySet<CallName> = new Set([
  'documents.proxy',
  'bank.import',
  'bank.file',
  'platform.saveDocument',
  'platform.bankStatements',
  'platform.eraseMember',
])

function listCommonRefusals({ name, route }: NamedRoute): [ErrorCode, string][] {
  const { access, method, params, stepUp, stepUpKind, confirms, enrolment, readsMembers, approvals } = route
  const isWrite = method !== 'GET'
  const scope = readScope(access)
  const isPlatform = scope !== null
  const common: [ErrorCode, string][] = [
    ['invalid', isPlatform ? 'unknown: is not known here' : 'limit: must be a whole number from 1 to 1000'],
  ]
  if (access !== 'public')
    common.push(['unauthorized', isPlatform ? 'Unauthorized: a valid platform key is needed' : 'Unauthorized'])
  const needed = listPermissions(access)
  if (needed.length > 0) common.push(['forbidden', describeMissing(needed)])
  else if (isWrite && !isPlatform) common.push(['forbidden', 'Requests from another site are refused'])
  if (isForAdmins(access) && !enrolment)
    common.push(['password_change_required', passwordChangeRequired], ['factor_required', factorRequired])
  if (stepUp || (isForAdmins(access) && isWrite && !confirms))
    common.push(['step_up_required', stepUp || stepUpKind ? stepUpRequired : newPlaceStepUp])
  if (approvals) common.push(['approval_waiting', waiting])
  if (scope !== null) common.push(['scope_missing', describeMissingScope(scope)])
  if (isPlatform || access === 'admin or platform')
    common.push(['network_refused', 'This platform key may not be used from this address'])
  common.push(['unknown_host', 'This console does not answer by that name: see PUBLIC_URL and ALLOWED_HOSTS'])
  if (params) common.push(['not_found', 'No such address'])
  common.push(
    ['timeout', 'The request took too long to arrive'],
    ['expectation_failed', 'Expect may only be 100-continue'],
    ['headers_too_large', 'The request headers are too large'],
  )
  if (isWrite)
    common.push(
      ['too_large', 'The body is too large'],
      ['unsupported_media_type', 'The body must be application/json'],
      ['outcome_unknown', 'It is not known whether the change was made: reload and look before trying again'],
    )
  if (isPlatform || access === 'admin or platform')
    common.push(['too_many_requests', 'Too many calls with this platform key: it may make 50 calls a second'])
  if (readsMembers)
    common.push([
      'too_many_requests',
      'You have read 5,000 members or payers within 5 minutes. Try again in 60 seconds.',
    ])
  const again = isWrite ? 'nothing was changed. Try again' : 'try again'
  common.push(
    ['internal', 'Something went wrong on our side'],
    ['database_unavailable', `The database is not available right now; ${again} in a moment`],
    ['busy', `Another change of the same data is still under way; ${again} in a moment`],
    ['overloaded', `The console has too much to do; ${again} in a moment`],
  )
  if (fileCalls.has(name))
    common.push(['store_unavailable', 'The store of the documents cannot be reached right now; try again in a moment'])
  return common
}

/** All refusals of a call. Its own messages replace the common ones. */
export function listRefusals(named: NamedRoute): DocumentedRefusal[] {
  const found = new Map<ErrorCode, string>([
    ...listCommonRefusals(named),
    ...Object.entries({ ...refusalTexts[named.name], ...approvalRefusals[named.name], ...bulkRefusals[named.name] }),
  ] as [ErrorCode, string][])
  return [...found]
    .map(([code, message]) => ({ status: new AppError(code, message).status, code, message }))
    .toSorted((a, b) => a.status - b.status)
}
