import type * as z from 'zod/mini'
import type { BodyInputOf, QueryInputOf, ReplyOf, Route } from '#contract/route.ts'
import type { GroupName, routeGroups } from '#contract/schemas/routes.ts'

type Groups = typeof routeGroups
type RequiredPart<Name extends string, Value> = [Value] extends [undefined]
  ? { [N in Name]?: undefined }
  : { [N in Name]: Value }
type ParamsInput<R extends Route> = [NonNullable<R['params']>] extends [never]
  ? undefined
  : z.input<NonNullable<R['params']>>

/** A call and its answer, held to the contract's types. `rawBody` is of what is no JSON that a schema reads. */
type ExampleOf<R extends Route> = RequiredPart<'params', ParamsInput<R>> &
  RequiredPart<'body', BodyInputOf<R>> &
  RequiredPart<'reply', ReplyOf<R>> & { query?: Partial<QueryInputOf<R>>; rawBody?: unknown }

export type ExamplesOf<G extends GroupName> = {
  [K in keyof Groups[G]]: Groups[G][K] extends Route ? ExampleOf<Groups[G][K]> : never
}
