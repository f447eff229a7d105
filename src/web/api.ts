import { queryOptions } from '@tanstack/react-query'
import { sessionEndHeader } from '#contract/auth.ts'
import { withoutBidiControls } from '#contract/bidi.ts'
import type { Approval, ApprovalRequested } from '#contract/schemas/approvals.ts'
import type { ErrorReply } from '#contract/schemas/errors.ts'
import { passiveHeader } from '#contract/live.ts'
import {
  defaultTimeoutSeconds,
  type BodyInputOf,
  type ParamsOf,
  type QueryInputOf,
  type ReplyOf,
  type Route,
} from '#contract/route.ts'
import { browserZone, localizeInstants } from '#web/lib/dates.ts'
import { isOperatorIdle } from '#web/lib/operator-input.ts'
import { recordSessionEnd } from '#web/lib/session-end.ts'

type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]
type RequiredKeys<T> = Exclude<keyof T, OptionalKeys<T>>
/** Keys that may be left undefined may be left out. */
type WithOptionalKeys<T> = Omit<T, OptionalKeys<T>> & Partial<Pick<T, OptionalKeys<T>>>
type ArgsPart<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : [RequiredKeys<NonNullable<T>>] extends [never]
    ? { [K in Name]?: WithOptionalKeys<NonNullable<T>> }
    : { [K in Name]: WithOptionalKeys<NonNullable<T>> }

/** The arguments of a call: params, query and body as the contract declares them, and the version to change. */
type CallOptions<R extends Route> = ArgsPart<'params', ParamsOf<R>> &
  ArgsPart<'query', QueryInputOf<R>> &
  ArgsPart<'body', BodyInputOf<R>> & {
    /** Sent as `If-Match`: the server refuses with 409 when the entity has moved on (product 8.4). */
    ifMatch?: number
    signal?: AbortSignal
    /** The console sends it by itself, even while the operator works, so it does not prolong the session (product 2.2). */
    isPassive?: boolean
    /** The page may be gone before the answer comes. */
    keepalive?: boolean
  }
type CallArgs<R extends Route> = [RequiredKeys<CallOptions<R>>] extends [never]
  ? [args?: CallOptions<R>]
  : [args: CallOptions<R>]

/** The arguments without the route's types. */
interface UntypedArgs {
  params?: Record<string, unknown> | undefined
  query?: Record<string, string | number | boolean | null | undefined> | undefined
  body?: unknown
  ifMatch?: number
  signal?: AbortSignal
  isPassive?: boolean
  keepalive?: boolean
}

/** A reply of a proxy may lack the code. */
type Refusal = Omit<ErrorReply, 'code'> & { code?: ErrorReply['code'] }

/** A refusal. Its message is the status, a colon, a space and the body's text (product 9.1). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The refusal as the contract words it; absent when the body was something else, such as a proxy's page. */
  readonly reply: Refusal | undefined

  constructor(status: number, text: string) {
    super(`${status}: ${text}`)
    this.status = status
    this.reply = parseReply(text)
  }
}

/** By a rule a second operator approves the change first: it is requested, and nothing has changed yet (product 2.11). */
export class SentForApproval extends Error {
  override readonly name = 'SentForApproval'
  readonly approval: Approval

  constructor(text: string) {
    const { message, approval } = JSON.parse(text) as ApprovalRequested
    super(message)
    this.approval = approval
  }
}

function parseReply(text: string): Refusal | undefined {
  try {
    const { message, ...rest } = JSON.parse(text) as Partial<ErrorReply>
    return typeof message === 'string' ? { ...rest, message } : undefined
  } catch {
    return undefined
  }
}

/** Whether the error says that the session has ended (product 9.2, Unauthorized). */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('401: ') && error.message.includes('Unauthorized')

const enrolments = { password_change_required: 'password', factor_required: 'factor' } as const
export type Enrolment = (typeof enrolments)[keyof typeof enrolments]

/** What the operator has to choose or add before anything else (product 2.4, 2.8). */
export function readEnrolment(error: unknown): Enrolment | undefined {
  const code = error instanceof ApiError ? error.reply?.code : undefined
  return enrolments[code as keyof typeof enrolments]
}

/** No complete answer came: the connection failed or timed out. The operator reads the message. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  /** True for a change that may have reached the server. */
  readonly isOutcomeUnknown: boolean

  constructor(isOutcomeUnknown: boolean, lateAfter: number | undefined, cause: unknown) {
    const event = lateAfter ? `The server took longer than ${lateAfter} s` : "The server can't be reached"
    const advice = isOutcomeUnknown
      ? 'The change may or may not have happened. Reload to see.'
      : lateAfter
        ? 'Try again.'
        : 'Check the connection and try again.'
    super(`${event}. ${advice}`, { cause })
    this.isOutcomeUnknown = isOutcomeUnknown
  }
}

/** Whether a change was sent and no answer came, so that nobody knows whether it happened. */
export const isOutcomeUnknown = (error: unknown): boolean => error instanceof NoAnswerError && error.isOutcomeUnknown

/** The message for the operator: the server's text in local time, or `fallback` where it gave none. */
export function describeError(error: unknown, fallback = 'Something went wrong. Please try again.'): string {
  if (error instanceof ApiError) {
    const { message = fallback, code, requestId } = error.reply ?? {}
    // The server's log has the cause under this number.
    return localizeInstants(message) + (code === 'internal' && requestId ? ` (request ${requestId})` : '')
  }
  return error instanceof NoAnswerError || error instanceof SentForApproval ? error.message : fallback
}

/** The text of a toast for a failed change: `failure`, unless its outcome is unknown. */
export const describeChangeFailure = (error: unknown, failure: string): string =>
  isOutcomeUnknown(error) ? describeError(error) : failure

/** The text of a form whose change was refused. The form stays open while the operator signs in again. */
export const describeChangeRefusal = (error: unknown): string =>
  isUnauthorized(error) ? 'Your sign-in had ended, so nothing was changed. Try again.' : describeError(error)

/** The segments of a read's URL, which are also its query key (product 8.2): `['/api/users', '7']`. */
function buildSegments(route: Route, { params = {}, query = {} }: UntypedArgs): string[] {
  const [, fixed = '', rest = ''] = /^([^:]*?)\/?((?::.*)?)$/.exec(route.path) ?? []
  const named = rest
    .split('/')
    .filter(Boolean)
    .map((part) => (part.startsWith(':') ? encodeURIComponent(String(params[part.slice(1)])) : part))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  return [fixed, ...named, ...(search.size > 0 ? [`?${search}`] : [])]
}

/** The address of a read, for a link or an image. */
export function buildUrl<R extends Route>(route: R, ...[args]: CallArgs<R>): string {
  return buildSegments(route, args ?? {}).join('/')
}

/** More marks on one letter than any script needs, which would cover what stands around it. */
const piledMarks = /(?<=\p{M}{6})\p{M}+/gu

/** Removes what would change the text direction of neighbours, or cover them. */
const readText = async (response: Response) => withoutBidiControls(await response.text()).replace(piledMarks, '')

/** Asks who sits there. False when the operator cancels. */
type StepUp = (refusal: ApiError) => Promise<boolean>
let askForStepUp: StepUp | undefined

/** A call that needs a recent sign-in waits for this and is sent again (product 2.9). */
export const onStepUpRequired = (ask: StepUp): void => void (askForStepUp = ask)

const needsStepUp = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.reply?.code === 'step_up_required'

/** Whether the server does not know the browser's time zone, which may be newer than its list. */
const isZoneRefused = (error: unknown) =>
  error instanceof ApiError &&
  Array.isArray(error.reply?.details) &&
  error.reply.details.some(({ field }) => field === 'timeZone')

/** Sends a call again where it needs a recent sign-in, after asking for one, and in UTC where its zone is refused. */
async function sendRequest<T>(...given: Parameters<typeof sendOnce<T>>): Promise<T> {
  try {
    return await sendOnce(...given)
  } catch (error) {
    const [route, url, ...rest] = given
    const urlInUtc = url.replace(/(?<=[?&]timeZone=)[^&]+/, 'UTC')
    if (urlInUtc !== url && isZoneRefused(error)) {
      browserZone.set(null)
      return sendRequest(route, urlInUtc, ...rest)
    }
    if (!needsStepUp(error) || !(await askForStepUp?.(error))) throw error
    return sendRequest(...given)
  }
}

/** Sends a call and reads the whole answer within the route's time limit. */
async function sendOnce<T>(
  route: Route,
  url: string,
  { body, ifMatch, signal, isPassive, keepalive = false }: UntypedArgs,
  fetchRead: (response: Response) => Promise<T>,
): Promise<T> {
  const headers = new Headers({ accept: route.raw ? '*/*' : 'application/json' })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (ifMatch !== undefined) headers.set('if-match', `"${ifMatch}"`)
  if (isPassive || isOperatorIdle()) headers.set(passiveHeader, '1')
  const wasOnline = navigator.onLine
  const seconds = route.timeoutSeconds ?? defaultTimeoutSeconds
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), seconds * 1000)
  try {
    const response = await fetch(url, {
      method: route.method,
      credentials: 'include',
      keepalive,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    })
    recordSessionEnd(response.headers.get(sessionEndHeader))
    if (!response.ok) throw new ApiError(response.status, (await readText(response)) || response.statusText)
    if (response.status === 202) throw new SentForApproval(await readText(response))
    return await fetchRead(response)
  } catch (error) {
    if (error instanceof ApiError || error instanceof SentForApproval || signal?.aborted) throw error
    const isChange = route.method !== 'GET' && !route.repeatable
    throw new NoAnswerError(isChange && wasOnline, late.signal.aborted ? seconds : undefined, error)
  } finally {
    clearTimeout(timer)
  }
}

/** The cast is safe: the server sends only what the route's reply schema names. */
async function sendJsonRequest<R extends Route>(route: R, url: string, args: UntypedArgs): Promise<ReplyOf<R>> {
  const text = await sendRequest(route, url, args, readText)
  return (text === '' ? undefined : JSON.parse(text)) as ReplyOf<R>
}

/** Calls a route of the contract: `await call(memberRoutes.ban, { params: { id }, body: { reason }, ifMatch: user.version })`. */
export async function call<R extends Route>(route: R, ...[args]: CallArgs<R>): Promise<ReplyOf<R>> {
  const plain = (args ?? {}) as UntypedArgs
  return sendJsonRequest(route, buildSegments(route, plain).join('/'), plain)
}

/** Calls a route that answers with a file. Throws the same errors as `call`. */
export async function callRaw<R extends Route>(
  route: R,
  ...[args]: CallArgs<R>
): Promise<{ blob: Blob; headers: Headers }> {
  const plain = (args ?? {}) as UntypedArgs
  return sendRequest(route, buildSegments(route, plain).join('/'), plain, async (response) => ({
    blob: await response.blob(),
    headers: response.headers,
  }))
}

/** Waits until the operator has signed in again. Rejects when the read is cancelled. */
type SignInWait = (signal: AbortSignal) => Promise<void>
let waitForSignIn: SignInWait | undefined

/** A read without a session waits for this and is sent again, so its screen never shows the refusal. */
export const onReadUnauthorized = (wait: SignInWait): void => void (waitForSignIn = wait)

async function read<R extends Route>(route: R, url: string, signal: AbortSignal): Promise<ReplyOf<R>> {
  try {
    return await sendJsonRequest(route, url, { signal })
  } catch (error) {
    if (!waitForSignIn || !isUnauthorized(error)) throw error
    await waitForSignIn(signal)
    return read(route, url, signal)
  }
}

/** Query key and function of a read; the key's segments joined by slashes are its URL. */
export function buildQuery<R extends Route>(route: R, ...[args]: CallArgs<R>) {
  const queryKey = buildSegments(route, args ?? {})
  const url = queryKey.join('/')
  return queryOptions({ queryKey, queryFn: ({ signal }) => read(route, url, signal) })
}
