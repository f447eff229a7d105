import type { FastifyInstance } from 'fastify'
import { platformRoutes } from '#contract/platform-api.ts'
import { eraseMember } from '#server/features/erasure/service.ts'
import { saveOrders } from '#server/features/orders/service.ts'
import { saveTokens } from '#server/features/tokens/service.ts'
import { saveFractions, savePlatformTransactions } from '#server/features/transactions/service.ts'
import { saveMembers } from '#server/features/members/service.ts'
import { saveWallets } from '#server/features/wallets/service.ts'
import { mount } from '#server/http/mount.ts'
import { announceSoon } from './announce-soon.ts'
import { completePlatformOrder, readOrder, saveKyc, saveOne, sendTests, setETag } from './calls.ts'
import { listMembers, listOrders } from './change-lists.ts'
import { listEvents } from './event-list.ts'
import { readMember, readWallets } from './member-reads.ts'
import { describeCall, recordCall } from './record-calls.ts'
import { registerUploadRoute } from './uploads.ts'

export function registerCallRoutes(app: FastifyInstance): void {
  registerMemberCalls(app)
  registerOrderCalls(app)
  registerEventCalls(app)

  mount(app, platformRoutes.saveToken, async (ctx, { params, body, precondition, request, reply }) =>
    setETag(
      reply,
      await saveOne(ctx, request, 'token', (tx) => saveTokens(tx, ctx, [{ ...body, ...params }], precondition)),
    ),
  )

  registerUploadRoute(app)
}

function registerMemberCalls(app: FastifyInstance): void {
  mount(app, platformRoutes.saveMember, async (ctx, { params, body, precondition, request, reply }) =>
    setETag(
      reply,
      await saveOne(ctx, request, 'member', (tx) => saveMembers(tx, ctx, [{ ...body, ...params }], precondition)),
    ),
  )

  mount(app, platformRoutes.member, async (ctx, { params, reply }) => setETag(reply, await readMember(ctx, params.id)))

  mount(app, platformRoutes.eraseMember, async (ctx, { params: { id }, request }) => {
    const erasure = await eraseMember(ctx, id, async (tx, { outcome }) => {
      await recordCall(tx, ctx, describeCall(request), { outcome })
    })
    announceSoon(ctx, ['logs'])
    return erasure
  })

  mount(app, platformRoutes.members, async (ctx, { query }) => listMembers(ctx, query))

  mount(app, platformRoutes.memberWallets, async (ctx, { params, query }) => readWallets(ctx, params.id, query))

  mount(app, platformRoutes.saveWallet, async (ctx, { params: { id: memberId, address }, body, request }) =>
    saveOne(ctx, request, 'wallet', (tx) => saveWallets(tx, ctx, [{ ...body, memberId, address }])),
  )

  mount(app, platformRoutes.saveKyc, async (ctx, { params: { id: memberId, attempt }, body, request }) =>
    saveKyc(ctx, request, { ...body, memberId, attempt }),
  )

  mount(app, platformRoutes.saveTransaction, async (ctx, { params: { id: memberId, transactionId }, body, request }) =>
    saveOne(ctx, request, 'transaction', (tx) =>
      savePlatformTransactions(tx, ctx, [{ ...body, memberId, id: transactionId }]),
    ),
  )

  mount(app, platformRoutes.saveFraction, async (ctx, { params: { id: memberId, fractionId }, body, request }) =>
    saveOne(ctx, request, 'fraction', (tx) => saveFractions(tx, ctx, [{ ...body, memberId, id: fractionId }])),
  )
}

function registerOrderCalls(app: FastifyInstance): void {
  mount(app, platformRoutes.saveOrder, async (ctx, { params, body, precondition, request, reply }) =>
    setETag(
      reply,
      await saveOne(ctx, request, 'order', (tx) =>
        saveOrders(tx, ctx, [{ ...body, ...params }], { precondition, isCall: true }),
      ),
    ),
  )

  mount(app, platformRoutes.order, async (ctx, { params, reply }) =>
    setETag(reply, await readOrder(ctx, params.orderNumber)),
  )

  mount(app, platformRoutes.orders, async (ctx, { query }) => listOrders(ctx, query))

  mount(app, platformRoutes.completeOrder, async (ctx, { params, request, reply }) =>
    setETag(reply, await completePlatformOrder(ctx, { request, reply }, params.orderNumber)),
  )
}

function registerEventCalls(app: FastifyInstance): void {
  mount(app, platformRoutes.events, async (ctx, { query }) => listEvents(ctx, query))

  mount(app, platformRoutes.testEvents, async (ctx, { body, request, reply }) =>
    sendTests(ctx, { request, reply }, body?.endpoint),
  )
}
