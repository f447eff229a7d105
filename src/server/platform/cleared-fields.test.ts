import { expect, test } from 'vitest'
import { createImporter, buildMemberLine } from '#test/support/import.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const call = createPlatformCaller(server)
const email = 'ana@example.com'
const whole = { email, legalFirstName: 'Ana', legalLastName: 'Lima', legalPhone: '+351 1' }

test.each([null, ''])('a member text sent as %j is cleared', async (empty) => {
  await call('PUT', '/members/c-1', whole)
  expect((await call('PUT', '/members/c-1', { email, legalPhone: empty })).json().outcome).toBe('updated')
  expect((await call('GET', '/members/c-1')).json()).toMatchObject({ ...whole, legalPhone: null })
  const none = { legalFirstName: empty, legalLastName: empty, legalPhone: empty }
  await call('PUT', '/members/c-1', { email, ...none })
  expect((await call('PUT', '/members/c-1', { email, ...none })).json().outcome).toBe('unchanged')
  expect((await call('GET', '/members/c-1')).json()).toMatchObject({
    legalFirstName: null,
    legalLastName: null,
    legalPhone: null,
  })
})

test('an import line clears the same fields', async () => {
  const send = createImporter(server)
  await send(buildMemberLine('c-2', { legalPhone: '1', legalFirstName: 'Bo' }))
  await send(buildMemberLine('c-2', { legalPhone: null, legalFirstName: '' }))
  expect((await call('GET', '/members/c-2')).json()).toMatchObject({ legalPhone: null, legalFirstName: null })
})

test('a member line that clears what an earlier line left out changes nothing', async () => {
  const send = createImporter(server)
  const again = { legalFirstName: null, legalLastName: '', legalPhone: null }
  expect(await send(buildMemberLine('c-3'), buildMemberLine('c-3', again))).toMatchObject({ created: 1, unchanged: 1 })
})

test("the back of a draft's document can be taken out again", async () => {
  const { id } = await makeMember(server)
  for (const kind of ['front', 'back'])
    await server.sql(
      `INSERT INTO documents (key, member_id, kind, upload_hash, stored_hash, byte_size, width, height)
       VALUES ($1, $2, $3, sha256(convert_to($1::text, 'UTF8')), sha256('x'), 1, 1, 1)`,
      [`doc-${kind}`, id, kind],
    )
  const step3 = { documentType: 'passport', frontDocumentPath: 'doc-front' }
  await call('PUT', `/members/${id}/kyc/1`, { step3: { ...step3, backDocumentPath: 'doc-back' } })
  const back = () => server.sql('SELECT back_document AS key FROM kyc_step3 WHERE member_id = $1', [id])
  expect((await call('PUT', `/members/${id}/kyc/1`, { step3 })).json().outcome).toBe('unchanged')
  expect(await back()).toEqual([{ key: 'doc-back' }])
  const cleared = await call('PUT', `/members/${id}/kyc/1`, { step3: { ...step3, backDocumentPath: null } })
  expect([cleared.json().outcome, await back()]).toEqual(['updated', [{ key: null }]])
})

test('an order says expired from its end on, also before the job has marked it', async () => {
  const { id } = await makeMember(server)
  const expiresAt = '2026-01-05T09:00:00.000Z'
  const { orderNumber } = await makeOrder(server, id, { expiresAt })
  expect((await call('GET', `/orders/${orderNumber}`)).json()).toMatchObject({
    status: 'expired',
    statusChangedAt: expiresAt,
    investmentAmount: '1500.50',
    bankName: 'Meridian Bank',
  })
  const { orderNumber: waiting } = await makeOrder(server, id)
  expect((await call('GET', `/orders/${waiting}`)).json()).toMatchObject({
    status: 'waiting_payment',
    statusChangedAt: null,
  })
})
