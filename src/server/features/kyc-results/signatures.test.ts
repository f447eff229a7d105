import { expect, test } from 'vitest'
import { nextSecret, url, startResultReceiver } from '#test/support/result-receiver.ts'
import { buildSecret } from '#test/support/sign-result.ts'

const { server, nobody, signed, send, makeSubmitted, result, verification } = await startResultReceiver()

test('a signature is of the bytes: others that read as the same text are tampered with (product 11.2)', async () => {
  const id = await makeSubmitted()
  const { body, headers } = signed(result(id, { result: 'rejected', reason: 'Blurred \uFFFD photo' }))
  const [before, after] = body.split('\uFFFD')
  const tampered = Buffer.concat([Buffer.from(before!), Buffer.from([0xff]), Buffer.from(after!)])
  expect((await nobody('POST', url, tampered, headers)).statusCode).toBe(401)
  expect((await nobody('POST', url, body, headers)).json().outcome).toBe('applied')
})

test('a result signed with either of two secrets is accepted (product 11.2)', async () => {
  const id = await makeSubmitted()
  expect((await send(result(id, { result: 'under_review' }), { by: nextSecret })).statusCode).toBe(200)
  const { body, headers } = signed(result(id))
  const { 'webhook-signature': _, ...unsigned } = headers
  const tampered = [
    [() => send(result(id), { by: buildSecret(9) }), 'invalid'],
    [() => nobody('POST', url, body.replace('approved', 'rejected'), headers), 'invalid'],
    [() => nobody('POST', url, body, { ...headers, 'webhook-id': 'another' }), 'invalid'],
    [() => nobody('POST', url, body, { ...headers, 'webhook-timestamp': 'now' }), 'invalid'],
    [() => nobody('POST', url, body, unsigned), 'missing'],
    [() => nobody('POST', url), 'missing'],
    [() => send(result(id), { at: new Date(Date.now() - 301_000) }), 'stale'],
    [() => send(result(id), { at: new Date(Date.now() + 302_000) }), 'stale'],
  ] as const
  for (const [call, verdict] of tampered) {
    const reply = await call()
    expect([reply.statusCode, reply.json().code]).toEqual([401, 'unauthorized'])
    const [kept] = await server.sql(
      `SELECT signature, state, http_status, note FROM messages WHERE direction = 'in' ORDER BY id DESC LIMIT 1`,
    )
    const note = expect.stringMatching(/^The signature is refused, /)
    expect(kept).toEqual({ signature: verdict, state: 'refused', http_status: 401, note })
  }
  expect((await verification(id)).provider_result).toBe('under_review')
})

test('a body nested as deep as 64 kB allow is refused, signed or not (product 8.5)', async () => {
  const deep = (field: string) => `{"${field}":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
  for (const body of [deep('caseId'), deep('type'), deep('reviewResult'), deep('rejectLabels')])
    for (const digest of ['', 'ab']) {
      const headers = { 'content-type': 'application/json', ...(digest && { 'x-payload-digest': digest }) }
      const reply = await nobody('POST', url, body, headers)
      expect([reply.statusCode, reply.json().code]).toEqual([401, 'unauthorized'])
    }
})
