import type * as z from 'zod/mini'

type Schema = z.ZodMiniType
export type Access = 'public' | 'platform' | 'signed' | 'either'

/** One call that console and server agree on. `path` holds its parameters as `:name`. */
export interface Route<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Reply extends Schema | undefined = Schema | undefined,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** One line for the API description. */
  summary: string
  params?: Params
  query?: Query
  body?: Body
  /** The body is no JSON that a schema reads, but raw bytes of one of these content types. */
  consumes?: readonly string[]
  /** Fields not named here never leave the server. Absent: an empty 204, or what `raw` says. */
  reply?: Reply
  /** The reply is no JSON: an image, a CSV file, an event stream. */
  raw?: true
  /** Who may call: `signed` by the message's own signature, `either` an admin or the platform. Absent: a signed-in admin. */
  access?: Access
  /** Never counts as the admin's activity (polls, the event stream): PRODUCT 3.6. */
  passive?: true
}

/** Keeps the schemas' own types, so that both sides infer from the contract alone. */
export function route<
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Reply extends Schema | undefined = undefined,
>(definition: Route<Params, Query, Body, Reply>): Route<Params, Query, Body, Reply> {
  return definition
}

type Output<S> = [NonNullable<S>] extends [never] ? undefined : z.output<NonNullable<S> & Schema>
type Input<S> = [NonNullable<S>] extends [never] ? undefined : z.input<NonNullable<S> & Schema>

export type ParamsOf<R extends Route> = Output<R['params']>
export type QueryOf<R extends Route> = Output<R['query']>
export type BodyOf<R extends Route> = Output<R['body']>
export type ReplyOf<R extends Route> = Output<R['reply']>
export type QueryInputOf<R extends Route> = Input<R['query']>
export type BodyInputOf<R extends Route> = Input<R['body']>
