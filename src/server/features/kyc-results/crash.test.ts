import { test } from 'vitest'
import { startCrashTest } from '#test/support/crash-test.ts'
import { buildSecret, signResult } from '#test/support/sign-result.ts'
import { makeAttempt, makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const secret = buildSecret(7)
const server = await startServer({ KYC_WEBHOOK_SECRET: secret })
const { crashAtEachStatement } = await startCrashTest(server)

const makeCase = async () => {
  const { id } = await makeMember(server, { kycStatus: 'submitted', kycSubmissionCount: 1 })
  await makeAttempt(server, id)
  return id
}

test.each([true, false])(
  'a result (decided by the provider: %s) killed midway is whole or absent (CONTRIBUTING rule 3)',
  async (autoProcessed) => {
    let tries = 0
    await crashAtEachStatement({
      make: makeCase,
      act: ({ app }, userId) => {
        const caseId = `case-${userId}-1`
        const message = { caseId, userId, attemptNumber: 1, result: 'approved', kycScore: 90, autoProcessed }
        // A provider signs each try again.
        const at = new Date(Date.now() - 250_000 + (tries += 1) * 1000)
        const { body, headers } = signResult(secret, message, { id: `msg-${userId}`, at })
        return app.inject({ method: 'POST', url: '/api/platform/v1/kyc-results', payload: body, headers })
      },
    })
  },
)
