import { expect, test } from 'vitest'
import { kycStatuses } from '#contract/kyc.ts'
import { makeAttempt, makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const get = async (url: string) => (await server.as('ada')('GET', url)).json()

test("undecided submissions are as many as the dashboard's pending members", async () => {
  for (const kycStatus of [...kycStatuses, null])
    for (const attempts of [0, 1, 3]) {
      const { id } = await makeMember(server, { kycStatus, kycSubmissionCount: attempts })
      for (let attempt = 1; attempt <= attempts; attempt++) await makeAttempt(server, id, { attempt })
    }
  const pending = (await get('/api/analytics')).kycCounts.pending
  const listed = await get('/api/kyc/submission-history?undecided=true')
  expect([listed.total, pending]).toEqual([6, 6])
  expect(new Set(listed.history.map(({ userId }: { userId: string }) => userId)).size).toBe(6)
  expect(listed.history.map(({ attemptNumber }: { attemptNumber: number }) => attemptNumber).toSorted()).toEqual([
    1, 1, 1, 3, 3, 3,
  ])
  expect(await get('/api/kyc/submission-history?undecided=true&status=approved')).toMatchObject({ total: 0 })
  const file = await server.as('ada')('GET', '/api/exports/kyc-submissions?undecided=true')
  expect(file.body.trimEnd().split('\r\n')).toHaveLength(7)
})
