import type * as z from 'zod/mini'
import type { ApprovalAction } from './approvals.ts'
import type { ErrorCode } from './errors.ts'
import type { Access } from './permissions.ts'
import type { StepUpKind } from './step-up.ts'

type Schema = z.ZodMiniType
type Parameters = z.ZodMiniObject
/** The console gives up a call whose answer is not complete by then. */
export const defaultTimeoutSeconds = 20

/** One call of the contract. `path` has its parameters as `:name`. */
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
  /** Content types of a raw body, which no schema parses. */
  consumes?: readonly string[]
  /** Other fields never leave the server. Absent: an empty 204, or a `raw` reply. */
  reply?: Reply
  /** The reply is not JSON: an image, a CSV file, an event stream. */
  raw?: true
  /** Its reply has no secret beside what others chose, which its compressed length would tell, and comes with an ETag. */
  compressed?: true
  /** Does not count as activity (polls, the event stream): product 2.2. */
  passive?: true
  /** Its reply holds data of members or payers, which is recorded and limited (product 6.9). */
  readsMembers?: true
  /** Safe to repeat although its method is not GET, so the console repeats it if it gets no answer. */
  repeatable?: true
  /**
   * Accepts `If-Match` with the version that the change was decided on (product 8.4), a PUT also `If-None-Match: *`.
   * Other changes refuse both.
   */
  versioned?: true
  /** Requires an authentication of the last `stepUpMinutes`: else 403 `step_up_required` (product 2.9). */
  stepUp?: true
  /** Requires the same where a super admin has switched it on for this kind of calls. */
  stepUpKind?: StepUpKind
  /** Confirms who uses a session, so it passes where changes need that first (product 2.9). */
  confirms?: true
  /** A rule may require an approval of these actions. The call answers 202 and changes nothing yet (product 2.11). */
  approvals?: readonly ApprovalAction[]
  /**
   * Also for an admin who must choose a password or add a second factor first: other calls answer him 403
   * `password_change_required` or `factor_required` (product 2.4, 2.8).
   */
  enrolment?: true
  /** How long the console waits for the whole answer. Absent: `defaultTimeoutSeconds`. */
  timeoutSeconds?: number
}

/** The part of a call that only the server needs. src/contract/schemas has it under the same name. */
export interface RouteSchemas {
  /** One line for the API description. */
  summary: string
  params?: Schema
  query?: Parameters
  body?: Schema
  reply?: Schema
  /** Its refusals beyond those of every such call, which src/server/openapi/refusals.ts lists. */
  refuses?: readonly ErrorCode[]
}
type FoundSchema<S, Name extends keyof RouteSchemas, Kind> =
  S extends Record<Name, infer Found extends Kind> ? Found : undefined

/**
 * A feature's calls as data without schemas, for the browser. `Schemas` provides the types of parameters, query, body
 * and reply. `completeRoute` adds the schemas.
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
