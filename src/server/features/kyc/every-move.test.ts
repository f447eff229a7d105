import { expect, test } from 'vitest'
import { canMoveKyc, type KycDecisionStatus, kycDecisions, kycMoves } from '#contract/kyc-moves.ts'
import { kycStatuses, type KycStatus } from '#contract/kyc.ts'
import { createImporter } from '#test/support/import.ts'
import { startResultReceiver } from '#test/support/result-receiver.ts'
import { makeAttempt, makeMember } from '#test/support/make.ts'

const { server, ada, send, result, member, submission, verification, trail } = await startResultReceiver()
const importLines = createImporter(server)
const day = (number: number) => `2026-01-0${number}T10:00:00.000Z`
const reason = 'The photo is blurred'

/** Who may ask for a move, and how they do; each answers whether it was made. */
const asks = {
  async operator(id: string, to: KycStatus) {
    const action = Object.entries(kycDecisions).find(([, decided]) => decided === to)![0]
    const reply = await ada('POST', `/api/users/${id}/kyc/${action}`, { rejectionReason: reason })
    return reply.statusCode === 409 ? (expect(reply.json().code).toBe('member_approved'), false) : true
  },
  async provider(id: string, to: KycStatus) {
    const word =
      to === 'under_review' ? { result: to, autoProcessed: false } : { result: to as 'approved' | 'rejected' }
    const reply = await send(result(id, { ...word, reason }))
    expect(reply.statusCode, reply.body).toBe(200)
    return reply.json().outcome === 'applied'
  },
  async platform(id: string, to: KycStatus) {
    const decision =
      to === 'submitted' ? undefined : { result: to, decidedAt: day(3), ...(to === 'rejected' && { reason }) }
    const step2 = { dateOfBirth: '1991-03-14', nationality: 'PT', countryOfResidence: 'ES' }
    const line = { type: 'kyc', memberId: id, attempt: 1, step2, submit: true, submittedAt: day(2), decision }
    const { errors } = await importLines(line)
    return errors.length === 0
  },
}
const names = { operator: 'ada', provider: 'KYC provider', platform: 'platform:move-in' }

const pairs = [null, ...kycStatuses].flatMap((from) =>
  kycStatuses.flatMap((to) => kycMoves[to].by.map((by) => [from, to, by] as const)),
)
test.each(pairs)(
  'from %s to %s, asked for by the %s, is as the table of moves says (product 7.1)',
  async (from, to, by) => {
    const { id } = await makeMember(server, { kycStatus: from, kycSubmissionCount: 1 })
    if (by !== 'platform') await makeAttempt(server, id)
    const isMade = await asks[by](id, to)
    expect((await trail(id)).audit.every(({ actor_name }) => actor_name === names[by])).toBe(true)
    if (!canMoveKyc(to, from)) {
      expect(await member(id)).toMatchObject({ kyc_status: from, version: 1 })
      expect(await trail(id)).toEqual({ audit: [], events: [] })
      return
    }
    expect(isMade).toBe(true)
    // No provider is set here: what is handed in is at once under review.
    expect(await member(id)).toMatchObject({ kyc_status: to === 'submitted' ? 'under_review' : to, version: 2 })
    await expectEffects(id, to, by)
  },
)

/** What the attempt, the audit rows and the events have to say of a move that was made. */
async function expectEffects(id: string, to: KycStatus, by: keyof typeof asks) {
  const move = kycMoves[to]
  const { audit, events } = await trail(id)
  if (!move.decides) return expect({ audit, events }).toEqual({ audit: [], events: [] })
  expect(audit.map(({ action }) => action)).toEqual([move.action])
  expect(events).toEqual(by === 'platform' ? [] : [move.event])
  expect(await submission(id)).toMatchObject({ result: to, auto_processed: by === 'provider' })
  expect(await verification(id)).toMatchObject({
    status: move.verification,
    rejection_reason: move.refusal === null ? null : reason,
    decided_by: by === 'platform' ? 'platform' : names[by],
  })
  const [step] = await server.sql('SELECT status FROM kyc_step2 WHERE member_id = $1', [id])
  return expect(step).toEqual({ status: move.step })
}

test('a decision that needs a reason is refused without one, in its own words (product 9.5)', async () => {
  for (const [action, to] of Object.entries(kycDecisions) as [string, KycDecisionStatus][]) {
    const { id } = await makeMember(server, { kycStatus: 'under_review' })
    const reply = await ada('POST', `/api/users/${id}/kyc/${action}`, { rejectionReason: ' ' })
    const { refusal } = kycMoves[to]
    if (refusal === null) expect(reply.statusCode).toBe(200)
    else expect([reply.statusCode, reply.json().message]).toEqual([400, refusal])
  }
})
