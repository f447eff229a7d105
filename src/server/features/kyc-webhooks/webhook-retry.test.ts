import { describe, expect, test } from 'vitest'
import { startCaseSender } from '#test/support/case-sender.ts'

const { provider, submit, retry, member, readMessage, readLogs, audits, makeSubmitted } = await startCaseSender()

describe('POST /api/kyc/webhook-retry', () => {
  test('the latest failed attempt is tried again under the same id (product 11.1)', async () => {
    const made = await makeSubmitted()
    provider.answer = (response) => void response.writeHead(503).end()
    await submit(made.id)
    provider.answer = provider.accept
    const reply = await retry(made.id)
    expect(reply.json()).toMatchObject({ success: true })
    const ids = provider.calls.map(({ headers }) => headers['webhook-id'])
    expect(ids[0]).toBe(ids[1])
    expect((await readLogs(made.id)).logs).toMatchObject([
      { tryNumber: 2, success: true, canRetry: false, nextTryAt: null },
      { tryNumber: 1, success: false, canRetry: false, nextTryAt: null },
    ])
    expect(await member(made.id)).toMatchObject({ kyc_status: 'under_review' })
    expect(await readMessage(made.id)).toMatchObject({ state: 'delivered', next_try_at: null, last_failed_at: null })
    expect((await audits(made.id)).map(({ action }) => action)).toEqual(['submit_kyc', 'retry_kyc'])
  })

  test('where nothing failed there is nothing to retry, and that is 409 (product 11.1)', async () => {
    const made = await makeSubmitted()
    expect((await retry(made.id)).json()).toMatchObject({
      code: 'nothing_to_retry',
      message: expect.stringContaining('Nothing has been sent'),
    })
    await submit(made.id)
    const reply = await retry(made.id)
    expect([reply.statusCode, reply.json().message]).toEqual([409, expect.stringContaining('reached the provider')])
    expect(provider.calls).toHaveLength(1)
  })

  test('a case whose tries are used up can be retried once more', async () => {
    const made = await makeSubmitted()
    provider.answer = (response) => void response.writeHead(410).end()
    await submit(made.id)
    expect(await readMessage(made.id)).toMatchObject({ state: 'failed', next_try_at: null })
    expect((await readLogs(made.id)).logs).toMatchObject([
      { canRetry: true, nextTryAt: null, errorMessage: 'HTTP 410' },
    ])
    expect((await retry(made.id)).json()).toMatchObject({ success: false, error: 'HTTP 410' })
    provider.answer = provider.accept
    expect((await retry(made.id)).json()).toMatchObject({ success: true })
  })
})
