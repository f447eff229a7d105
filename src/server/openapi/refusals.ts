import { errorStatuses, type ErrorCode } from '#contract/errors.ts'
import { newPlaceStepUp } from '#contract/factors.ts'
import { describeMissing } from '#contract/permission-labels.ts'
import { isForAdmins, listPermissions } from '#contract/permissions.ts'
import { describeMissingScope, readScope } from '#contract/scopes.ts'
import type { CallName, NamedRoute } from '#contract/schemas/routes.ts'
import { callRefusalTexts, platformRefusalTexts, refusalTexts } from './refusal-texts.ts'

/** One refusal of a call, with its message. */
export interface DocumentedRefusal {
  status: number
  code: ErrorCode
  message: string
}

/** Calls that read, store or delete files of the document store. */
const fileCalls: ReadonlySet<CallName> = new Set([
  'documents.proxy',
  'bank.import',
  'bank.file',
  'platform.saveDocument',
  'platform.bankStatements',
  'platform.eraseMember',
])

/** The refusals that follow from how a call is made. */
function listCommonCodes({ name, route }: NamedRoute): ErrorCode[] {
  const { access, method, params, query, stepUp, confirms, enrolment, readsMembers, approvals, versioned } = route
  const isWrite = method !== 'GET'
  const isForPlatform = readScope(access) !== null
  const takesKey = isForPlatform || access === 'admin or platform'
  const isForAdmin = isForAdmins(access)
  const given: [boolean | undefined, ...ErrorCode[]][] = [
    [true, 'invalid', 'unknown_host', 'timeout', 'expectation_failed', 'headers_too_large'],
    [access !== 'public', 'unauthorized'],
    [listPermissions(access).length > 0 || (isWrite && !isForPlatform), 'forbidden'],
    [isForAdmin && !enrolment, 'password_change_required', 'factor_required'],
    [stepUp || (isForAdmin && isWrite && !confirms), 'step_up_required'],
    [approvals !== undefined, 'approval_waiting'],
    [isForPlatform, 'scope_missing'],
    [takesKey, 'network_refused'],
    [takesKey || readsMembers, 'too_many_requests'],
    [params !== undefined, 'not_found'],
    [query !== undefined && 'after' in query.shape, 'cursor_unknown'],
    [versioned, 'stale'],
    [isWrite, 'too_large', 'unsupported_media_type', 'outcome_unknown'],
    [fileCalls.has(name), 'store_unavailable'],
    [true, 'internal', 'database_unavailable', 'busy', 'overloaded'],
  ]
  return given.flatMap(([isSo, ...codes]) => (isSo ? codes : []))
}

const limitText = 'limit: must be a whole number from 1 to 1000'

function describeRefusal({ name, group, route }: NamedRoute, code: ErrorCode): string {
  const own = callRefusalTexts[name]?.[code] ?? (group === 'platform' ? platformRefusalTexts[code] : undefined)
  if (own !== undefined) return own
  const scope = readScope(route.access)
  if (code === 'scope_missing' && scope !== null) return describeMissingScope(scope)
  const permissions = listPermissions(route.access)
  if (code === 'forbidden' && permissions.length > 0) return describeMissing(permissions)
  if (code === 'forbidden' && !route.refuses?.includes(code)) return 'Requests from another site are refused'
  if (code === 'step_up_required' && !route.stepUp && !route.stepUpKind) return newPlaceStepUp
  if (code === 'invalid' && route.query && 'limit' in route.query.shape) return limitText
  return route.method === 'GET' ? refusalTexts[code].replace('nothing was changed. Try', 'try') : refusalTexts[code]
}

/** All refusals of a call, those of every such call and its own. */
export function listRefusals(named: NamedRoute): DocumentedRefusal[] {
  const codes = new Set([...listCommonCodes(named), ...(named.route.refuses ?? [])])
  return [...codes]
    .map((code) => ({ status: errorStatuses[code], code, message: describeRefusal(named, code) }))
    .toSorted((a, b) => a.status - b.status)
}
