import { queryOptions } from '@tanstack/react-query'
import type { ErrorReply } from '#contract/common.ts'
import { passiveHeader } from '#contract/live.ts'
import type { BodyInputOf, ParamsOf, QueryInputOf, ReplyOf, Route } from '#contract/route.ts'
import { inLocalTime } from '#web/lib/dates.ts'

type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]
type RequiredKeys<T> = Exclude<keyof T, OptionalKeys<T>>
/** Keys that may be left undefined may be left out. */
type Loose<T> = Omit<T, OptionalKeys<T>> & Partial<Pick<T, OptionalKeys<T>>>
type Part<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : [RequiredKeys<NonNullable<T>>] extends [never]
    ? { [K in Name]?: Loose<NonNullable<T>> }
    : { [K in Name]: Loose<NonNullable<T>> }

/** What a call of this route needs: its params, query and body as the contract says, and which version it means to change. */
type ArgsOf<R extends Route> = Part<'params', ParamsOf<R>> &
  Part<'query', QueryInputOf<R>> &
  Part<'body', BodyInputOf<R>> & {
    /** Sent as `If-Match`: the server refuses with 409 when the entity has moved on (PRODUCT 3.22). */
    ifMatch?: number
    signal?: AbortSignal
    /** The console's own doing, which keeps nobody signed in (PRODUCT 3.6). */
    isPassive?: boolean
  }
type Rest<R extends Route> = [RequiredKeys<ArgsOf<R>>] extends [never] ? [args?: ArgsOf<R>] : [args: ArgsOf<R>]

/** What every call looks like once the types have done their work. */
interface PlainArgs {
  params?: Record<string, unknown> | undefined
  query?: Record<string, string | number | boolean | null | undefined> | undefined
  body?: unknown
  ifMatch?: number
  signal?: AbortSignal
  isPassive?: boolean
}

/** A refusal. Its message is the status, a colon, a space and the body's text (SPEC section 8). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The refusal as the contract words it; absent when the body was something else, such as a proxy's page. */
  readonly reply: ErrorReply | undefined

  constructor(status: number, text: string) {
    super(`${status}: ${text}`)
    this.status = status
    this.reply = parseReply(text)
  }
}

function parseReply(text: string): ErrorReply | undefined {
  try {
    const { message, code, ...rest } = JSON.parse(text) as Partial<ErrorReply>
    return typeof message === 'string' ? { ...rest, message, code: code ?? '' } : undefined
  } catch {
    return undefined
  }
}

/** SPEC section 8, Unauthorized: what a refusal's message looks like when the session is gone. */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('401: ') && error.message.includes('Unauthorized')

/** No answer came at all. */
class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** What to show the operator: the server's own words where it gave some, in local time, else `fallback`. */
export function serverMessage(error: unknown, fallback = 'Something went wrong. Please try again.'): string {
  if (error instanceof ApiError) return inLocalTime(error.reply?.message ?? fallback)
  return error instanceof UnreachableError ? error.message : fallback
}

/** The segments that a read's URL is made of, and its query key (SPEC section 7): `['/api/users', '7']`. */
function segmentsOf(route: Route, { params = {}, query = {} }: PlainArgs): string[] {
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
export function urlOf<R extends Route>(route: R, ...[args]: Rest<R>): string {
  return segmentsOf(route, args ?? {}).join('/')
}

async function send(route: Route, url: string, { body, ifMatch, signal, isPassive }: PlainArgs): Promise<Response> {
  const headers = new Headers({ accept: route.raw ? '*/*' : 'application/json' })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (ifMatch !== undefined) headers.set('if-match', `"${ifMatch}"`)
  if (isPassive) headers.set(passiveHeader, '1')
  let response: Response
  try {
    response = await fetch(url, {
      method: route.method,
      credentials: 'include',
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new UnreachableError("The server can't be reached. Check the connection and try again.", { cause: error })
  }
  if (!response.ok) throw new ApiError(response.status, (await response.text()) || response.statusText)
  return response
}

/** The server lets nothing out that its route's reply schema does not name, so a reply is what the contract says it is. */
async function readReply<R extends Route>(_route: R, response: Response): Promise<ReplyOf<R>> {
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as ReplyOf<R>
}

/** Calls a route of the contract: `await call(userRoutes.ban, { params: { id }, body: { reason }, ifMatch: user.version })`. */
export async function call<R extends Route>(route: R, ...[args]: Rest<R>): Promise<ReplyOf<R>> {
  const plain = (args ?? {}) as PlainArgs
  return readReply(route, await send(route, segmentsOf(route, plain).join('/'), plain))
}

/** Calls a route that answers a file; refusals are raised as `call` raises them. */
export async function callRaw<R extends Route>(route: R, ...[args]: Rest<R>): Promise<Response> {
  const plain = (args ?? {}) as PlainArgs
  return send(route, segmentsOf(route, plain).join('/'), plain)
}

/** Reads that the console is about to fetch again by itself. */
const passiveReads = new Set<string>()

/** The next fetch of this query is the console's own doing, not the operator's. */
export const fetchPassively = (queryKey: readonly unknown[]): void => void passiveReads.add(queryKey.join('/'))

/** Query key and function of a read; the key's segments joined by slashes are its URL. */
export function queryOf<R extends Route>(route: R, ...[args]: Rest<R>) {
  const queryKey = segmentsOf(route, args ?? {})
  const url = queryKey.join('/')
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) =>
      readReply(route, await send(route, url, { signal, isPassive: passiveReads.delete(url) })),
  })
}
