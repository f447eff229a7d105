import { queryOptions } from '@tanstack/react-query'
import { sessionEndHeader } from '#contract/auth.ts'
import { withoutBidiControls } from '#contract/bidi.ts'
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
import { localizeInstants } from '#web/lib/dates.ts'
import { recordSessionEnd } from '#web/lib/session-end.ts'

type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]
type RequiredKeys<T> = Exclude<keyof T, OptionalKeys<T>>
/** Keys that may be left undefined may be left out. */
type OptionalUndefined<T> = Omit<T, OptionalKeys<T>> & Partial<Pick<T, OptionalKeys<T>>>
type ArgsPart<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : [RequiredKeys<NonNullable<T>>] extends [never]
    ? { [K in Name]?: OptionalUndefined<NonNullable<T>> }
    : { [K in Name]: OptionalUndefined<NonNullable<T>> }

/** What a call of this route needs: its params, query and body as the contract says, and which version it means to change. */
type CallOptions<R extends Route> = ArgsPart<'params', ParamsOf<R>> &
  ArgsPart<'query', QueryInputOf<R>> &
  ArgsPart<'body', BodyInputOf<R>> & {
    /** Sent as `If-Match`: the server refuses with 409 when the entity has moved on (product 8.4). */
    ifMatch?: number
    signal?: AbortSignal
    /** The console's own doing, which keeps nobody signed in (product 2.2). */
    isPassive?: boolean
  }
type CallArgs<R extends Route> = [RequiredKeys<CallOptions<R>>] extends [never]
  ? [args?: CallOptions<R>]
  : [args: CallOptions<R>]

/** What every call looks like once the types have done their work. */
interface UntypedArgs {
  params?: Record<string, unknown> | undefined
  query?: Record<string, string | number | boolean | null | undefined> | undefined
  body?: unknown
  ifMatch?: number
  signal?: AbortSignal
  isPassive?: boolean
}

/** What a proxy before the console answers may lack the code. */
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

function parseReply(text: string): Refusal | undefined {
  try {
    const { message, ...rest } = JSON.parse(text) as Partial<ErrorReply>
    return typeof message === 'string' ? { ...rest, message } : undefined
  } catch {
    return undefined
  }
}

/** Product 9.2, Unauthorized: what a refusal's message looks like when the session is gone. */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('401: ') && error.message.includes('Unauthorized')

/** No whole answer came: the connection failed, or the time was over. Its message is for the operator. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  /** The call was a change that may have reached the server. */
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

/** A change was sent and no answer came: nobody knows whether it happened. */
export const isOutcomeUnknown = (error: unknown): boolean => error instanceof NoAnswerError && error.isOutcomeUnknown

/** What to show the operator: the server's own words where it gave some, in local time, else `fallback`. */
export function describeError(error: unknown, fallback = 'Something went wrong. Please try again.'): string {
  if (error instanceof ApiError) {
    const { message = fallback, code, requestId } = error.reply ?? {}
    // The log holds what happened under this number.
    return localizeInstants(message) + (code === 'internal' && requestId ? ` (request ${requestId})` : '')
  }
  return error instanceof NoAnswerError ? error.message : fallback
}

/** What a toast says of a change that failed: `failure`, unless nobody knows whether it failed. */
export const describeChangeFailure = (error: unknown, failure: string): string =>
  isOutcomeUnknown(error) ? describeError(error) : failure

/** What a form says of its change that was refused: it stays open while the operator signs in again over it. */
export const describeChangeRefusal = (error: unknown): string =>
  isUnauthorized(error) ? 'Your sign-in had ended, so nothing was changed. Try again.' : describeError(error)

/** The segments that a read's URL is made of, and its query key (product 8.2): `['/api/users', '7']`. */
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

/** Nothing that is shown turns the direction of what stands beside it. */
const readText = async (response: Response) => withoutBidiControls(await response.text())

/** Sends a call and reads its answer to the end, within the route's time. */
async function sendRequest<T>(
  route: Route,
  url: string,
  { body, ifMatch, signal, isPassive }: UntypedArgs,
  fetchRead: (response: Response) => Promise<T>,
): Promise<T> {
  const headers = new Headers({ accept: route.raw ? '*/*' : 'application/json' })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (ifMatch !== undefined) headers.set('if-match', `"${ifMatch}"`)
  if (isPassive) headers.set(passiveHeader, '1')
  const wasOnline = navigator.onLine
  const seconds = route.timeoutSeconds ?? defaultTimeoutSeconds
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), seconds * 1000)
  try {
    const response = await fetch(url, {
      method: route.method,
      credentials: 'include',
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    })
    recordSessionEnd(response.headers.get(sessionEndHeader))
    if (!response.ok) throw new ApiError(response.status, (await readText(response)) || response.statusText)
    return await fetchRead(response)
  } catch (error) {
    if (error instanceof ApiError || signal?.aborted) throw error
    const isChange = route.method !== 'GET' && !route.repeatable
    throw new NoAnswerError(isChange && wasOnline, late.signal.aborted ? seconds : undefined, error)
  } finally {
    clearTimeout(timer)
  }
}

/** The server lets nothing out that its route's reply schema does not name, so a reply is what the contract says it is. */
async function sendJsonRequest<R extends Route>(route: R, url: string, args: UntypedArgs): Promise<ReplyOf<R>> {
  const text = await sendRequest(route, url, args, readText)
  return (text === '' ? undefined : JSON.parse(text)) as ReplyOf<R>
}

/** Calls a route of the contract: `await call(userRoutes.ban, { params: { id }, body: { reason }, ifMatch: user.version })`. */
export async function call<R extends Route>(route: R, ...[args]: CallArgs<R>): Promise<ReplyOf<R>> {
  const plain = (args ?? {}) as UntypedArgs
  return sendJsonRequest(route, buildSegments(route, plain).join('/'), plain)
}

/** Calls a route that answers a file; refusals are raised as `call` raises them. */
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

/** Reads that the console is about to fetch again by itself. */
const passiveReads = new Set<string>()

/** The next fetch of this query is the console's own doing, not the operator's. */
export const fetchPassively = (queryKey: readonly unknown[]): void => void passiveReads.add(queryKey.join('/'))

/** Waits until the operator has signed in again; rejects when the read is no longer wanted. */
type SignInWait = (signal: AbortSignal) => Promise<void>
let waitForSignIn: SignInWait | undefined

/** Reads that find the session gone wait for this and are then sent again: their screens never show the refusal. */
export const onReadUnauthorized = (wait: SignInWait): void => void (waitForSignIn = wait)

async function read<R extends Route>(route: R, url: string, signal: AbortSignal): Promise<ReplyOf<R>> {
  try {
    return await sendJsonRequest(route, url, { signal, isPassive: passiveReads.delete(url) })
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
