import type { FastifyInstance } from 'fastify'
import { kycMove } from '#contract/kyc-moves.ts'
import { kycReviewRoutes } from '#contract/kyc-reviews.ts'
import { mountApprovable } from '#server/features/approvals/service.ts'
import { mount } from '#server/http/mount.ts'
import { askAnotherLook, endAnotherLook } from './another-look.ts'
import { findCaseTarget } from './approval-target.ts'
import { claimCase, claimNextCase, releaseCase, viewCase } from './claims.ts'
import { listMemberLinks } from './links.ts'
import { readKycFigures, listStep2, listStep3, listStep4, listSubmissions, listVerifications } from './lists.ts'
import { reviewVerification } from './review.ts'

const findListed = (rows: { userId: string }[]) => ({
  kind: 'kyc_lists' as const,
  listed: rows.map(({ userId }) => userId),
})

const findHistory = ({ history }: { history: { userId: string }[] }) => findListed(history)

const findCase = ({ case: found }: { case: { user: { id: string } } | null }) =>
  found && { kind: 'kyc_case' as const, opened: found.user.id }

export function registerKycRoutes(app: FastifyInstance): void {
  mount(
    app,
    kycReviewRoutes.verifications,
    async (ctx, { query }) => listVerifications(ctx, query),
    ({ verifications }) => findListed(verifications),
  )

  mount(app, kycReviewRoutes.submissions, async (ctx, { query }) => listSubmissions(ctx, query), findHistory)

  mount(app, kycReviewRoutes.step2, async (ctx, { query }) => listStep2(ctx, query), findHistory)

  mount(app, kycReviewRoutes.step3, async (ctx, { query }) => listStep3(ctx, query), findHistory)

  mount(app, kycReviewRoutes.step4, async (ctx, { query }) => listStep4(ctx, query), findHistory)

  mount(app, kycReviewRoutes.figures, async (ctx) => readKycFigures(ctx))

  mountApprovable(app, kycReviewRoutes.review, {
    action: ({ body }) => `${body.action}_kyc` as const,
    findTarget: (db, { params }) => findCaseTarget(db, params.id),
    run: async (ctx, { params, body, ifMatch }) => {
      const reviewed = await reviewVerification(ctx, params.id, body, ifMatch)
      return { message: kycMove(body.action).done, ...reviewed }
    },
  })

  mount(app, kycReviewRoutes.claimNext, async (ctx, { body }) => claimNextCase(ctx, body ?? {}), findCase)

  mount(app, kycReviewRoutes.detail, async (ctx, { params }) => viewCase(ctx, params.id), findCase)

  mount(app, kycReviewRoutes.claim, async (ctx, { params }) => claimCase(ctx, params.id), findCase)

  mount(app, kycReviewRoutes.askAnotherLook, async (ctx, { params, body }) => {
    const verification = await askAnotherLook(ctx, params.id, body.note)
    return { message: 'Marked for another look', verification }
  })

  mount(app, kycReviewRoutes.endAnotherLook, async (ctx, { params }) => {
    const verification = await endAnotherLook(ctx, params.id)
    return { message: 'Back in the queue', verification }
  })

  mount(
    app,
    kycReviewRoutes.links,
    async (ctx, { params }) => listMemberLinks(ctx, params.id),
    ({ links }) => findListed(links.flatMap((link) => link.members.map(({ member }) => ({ userId: member.id })))),
  )

  mount(app, kycReviewRoutes.release, async (ctx, { params }) => releaseCase(ctx, params.id))
}
