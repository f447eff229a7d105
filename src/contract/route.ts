import type * as z from 'zod/mini'
import type { Access } from './permissions.ts'

type Schema = z.ZodMiniType
type Parameters = z.ZodMiniObject
/** A call whose answer is not complete by then is given up by the console. */
export const defaultTimeoutSeconds = 20

/** One call that console and server agree on. `path` holds its parameters as `:name`. */
export interface Route<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Parameters | undefined = Parameters | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Reply extends Schema | undefined = Schema | undefined,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  access: Access
  params?: Params
  query?: Query
  body?: Body
  /** The body is no JSON that a schema reads, but raw bytes of one of these content types. */
  consumes?: readonly string[]
  /** Fields not named here never leave the server. Absent: an empty 204, or what `raw` says. */
  reply?: Reply
  /** The reply is no JSON: an image, a CSV file, an event stream. */
  raw?: true
  /** Never counts as the admin's activity (polls, the event stream): product 2.2. */
  passive?: true
  /** Changes nothing that matters when it is sent twice, though its method is not GET: without an answer it is just repeated. */
  repeatable?: true
  /**
   * Minds `If-Match`, the version that the change was decided on (product 8.4); a PUT also `If-None-Match: *`. Other changes
   * refuse both.
   */
  versioned?: true
  /** How long the console waits for the whole answer. Absent: `defaultTimeoutSeconds`. */
  timeoutSeconds?: number
}

/** What only the server needs of a call; src/contract/schemas has it under the call's name. */
export interface RouteSchemas {
  /** One line for the API description. */
  summary: string
  params?: Schema
  query?: Parameters
  body?: Schema
  reply?: Schema
}
type FoundSchema<S, Name extends keyof RouteSchemas, Kind> =
  S extends Record<Name, infer Found extends Kind> ? Found : undefined

/**
 * A feature's calls as data that a browser loads without schemas. The type `Schemas` gives the types of parameters, query,
 * body and reply; `completeRoute` adds the schemas themselves.
 */
export type Routes<Schemas> = {
  [Name in keyof Schemas]: Route<
    FoundSchema<Schemas[Name], 'params', Schema>,
    FoundSchema<Schemas[Name], 'query', Parameters>,
    FoundSchema<Schemas[Name], 'body', Schema>,
    FoundSchema<Schemas[Name], 'reply', Schema>
  >
}

type Output<S> = [NonNullable<S>] extends [never] ? undefined : z.output<NonNullable<S> & Schema>
type Input<S> = [NonNullable<S>] extends [never] ? undefined : z.input<NonNullable<S> & Schema>

export type ParamsOf<R extends Route> = Output<R['params']>
export type QueryOf<R extends Route> = Output<R['query']>
export type BodyOf<R extends Route> = Output<R['body']>
export type ReplyOf<R extends Route> = Output<R['reply']>
export type QueryInputOf<R extends Route> = Input<R['query']>
export type BodyInputOf<R extends Route> = Input<R['body']>
