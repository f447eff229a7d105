import type { FastifyInstance } from 'fastify'
import { kycMove } from '#contract/kyc-moves.ts'
import { kycReviewRoutes } from '#contract/kyc-reviews.ts'
import { mount } from '#server/http/mount.ts'
import { claimCase, claimNextCase, releaseCase } from './claims.ts'
import { readKycFigures, listStep2, listStep3, listStep4, listSubmissions, listVerifications } from './lists.ts'
import { reviewVerification } from './review.ts'

export function registerKycRoutes(app: FastifyInstance): void {
  mount(app, kycReviewRoutes.verifications, async (ctx, { query }) => listVerifications(ctx, query))

  mount(app, kycReviewRoutes.submissions, async (ctx, { query }) => listSubmissions(ctx, query))

  mount(app, kycReviewRoutes.step2, async (ctx, { query }) => listStep2(ctx, query))

  mount(app, kycReviewRoutes.step3, async (ctx, { query }) => listStep3(ctx, query))

  mount(app, kycReviewRoutes.step4, async (ctx, { query }) => listStep4(ctx, query))

  mount(app, kycReviewRoutes.figures, async (ctx) => readKycFigures(ctx))

  mount(app, kycReviewRoutes.review, async (ctx, { params, body, ifMatch }) => {
    const reviewed = await reviewVerification(ctx, params.id, body, ifMatch)
    return { message: kycMove(body.action).done, ...reviewed }
  })

  mount(app, kycReviewRoutes.claimNext, async (ctx, { body }) => claimNextCase(ctx, body?.after))

  mount(app, kycReviewRoutes.claim, async (ctx, { params }) => claimCase(ctx, params.id))

  mount(app, kycReviewRoutes.release, async (ctx, { params }) => releaseCase(ctx, params.id))
}
