import type { FastifyInstance } from 'fastify'
import type { ApprovalAction, ApprovalTarget } from '#contract/approvals.ts'
import type { BodyOf, ParamsOf, ReplyOf, Route } from '#contract/route.ts'
import { type CallName, completeRoute, nameRoute } from '#contract/schemas/routes.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { mount } from '#server/http/mount.ts'
import { runOrRequest } from './request.ts'

declare module 'fastify' {
  interface FastifyInstance {
    approvables: ApprovableCalls
  }
}

/** What a call would change, as a request shows it and a rule compares it. */
export interface Target {
  type: ApprovalTarget
  id: string
  name: string
  /** Null for what has none, and for what is new. */
  version: number | null
  memberId?: string | null
  /** Of an action with money. A decimal string. */
  amount?: string
  currency?: string
}

/** What a call was made with. A request keeps it, and an approval makes the call with it again. */
export interface GivenCall<R extends Route = Route> {
  params: ParamsOf<R>
  body: BodyOf<R>
  /** The version that the change was decided on. */
  ifMatch: number | undefined
}

/** A call that may need an approval. */
export interface ApprovableCall<R extends Route = Route> {
  action: (given: GivenCall<R>) => ApprovalAction
  /** Null where there is no such thing, which `run` then refuses. */
  findTarget: (db: Db | Tx, given: GivenCall<R>) => Promise<Target | null>
  /** Makes the change. Also for a call that needs no approval, for a trial before a request, and after an approval. */
  run: (ctx: Ctx, given: GivenCall<R>) => Promise<ReplyOf<R>>
}

/** The calls of a server that may need an approval, by name. */
export class ApprovableCalls {
  readonly #calls = new Map<CallName, { route: Route; call: ApprovableCall }>()

  add<R extends Route>(route: R, call: ApprovableCall<R>): void {
    this.#calls.set(nameRoute(route), { route: completeRoute(route), call })
  }

  /** Throws for a call that was never mounted so. */
  find(name: CallName): { route: Route; call: ApprovableCall } {
    const found = this.#calls.get(name)
    if (!found) throw new Error(`${name} takes no approval`)
    return found
  }
}

/** Serves a call that is made at once or, where a rule says so, after a second operator approved it (product 2.11). */
export function mountApprovable<R extends Route>(app: FastifyInstance, route: R, call: ApprovableCall<R>): void {
  app.approvables.add(route, call)
  mount(app, route, async (ctx, { params, body, ifMatch, reply }) => {
    const given = { params, body, ifMatch }
    const outcome = await runOrRequest(ctx, {
      name: nameRoute(route),
      action: call.action(given),
      given: () => given,
      findTarget: (db) => call.findTarget(db, given),
      run: (inner) => call.run(inner, given),
    })
    return 'requested' in outcome ? reply.code(202).send(outcome.requested) : outcome.reply
  })
}
