import { beforeEach, expect, test } from 'vitest'
import { lineLeaseMinutes } from '#contract/bank-allocations.ts'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import { importPayments } from '#test/support/bank-payments.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { type Caller, startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const grace = server.as('grace')
await createBankCaller(server).addAccount()
const [first, second] = (await importPayments(server, { amount: '1.00' }, { amount: '2.00' })) as [string, string]

const claim = (as: Caller, id: string) => as('POST', `/api/bank/lines/${id}/claim`)
const release = (as: Caller, id: string) => as('DELETE', `/api/bank/lines/${id}/claim`)
const readClaim = async (as: Caller, id: string) =>
  (await as('GET', `/api/bank/lines/${id}`)).json<BankLineDetail>().claim
const endLeases = () => server.sql("UPDATE bank_claims SET claimed_until = now() - interval '1 second'")

beforeEach(() => server.sql('DELETE FROM bank_claims'))

test('a claimed line says who has it, and until when (product 7.12)', async () => {
  const reply = await claim(ada, first)
  const { claimedUntil } = reply.json() as { claimedUntil: string }
  const minutes = (Date.parse(claimedUntil) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(lineLeaseMinutes - 1)
  expect(minutes).toBeLessThanOrEqual(lineLeaseMinutes)
  expect(await readClaim(ada, first)).toEqual({ by: 'ada', until: claimedUntil, isMine: true })
  expect(await readClaim(grace, first)).toEqual({ by: 'ada', until: claimedUntil, isMine: false })
})

test('a line that another operator has open is refused with their name and the end', async () => {
  const { claimedUntil } = (await claim(ada, first)).json() as { claimedUntil: string }
  const reply = await claim(grace, first)
  expect(reply.statusCode).toBe(409)
  expect(reply.json()).toMatchObject({
    code: 'line_claimed',
    message: expect.stringMatching(/^ada has this line open, until \w{3} \d\d, \d{4} at \d\d:\d\d UTC$/),
    details: { by: 'ada', until: claimedUntil },
  })
})

test('an operator has one line open at a time', async () => {
  await claim(ada, first)
  await claim(ada, second)
  expect(await readClaim(ada, first)).toBeNull()
  expect((await claim(grace, first)).statusCode).toBe(200)
})

test('a lease that is over keeps nobody from the line', async () => {
  await claim(ada, first)
  await endLeases()
  expect(await readClaim(grace, first)).toBeNull()
  expect((await claim(grace, first)).statusCode).toBe(200)
})

test('only the own claim is released', async () => {
  await claim(ada, first)
  expect((await release(grace, first)).statusCode).toBe(204)
  expect(await readClaim(ada, first)).toMatchObject({ by: 'ada' })
  expect((await release(ada, first)).statusCode).toBe(204)
  expect(await readClaim(ada, first)).toBeNull()
})

test('one of four operators who claim a line at once gets it', async () => {
  const callers = Array.from({ length: 4 }, (_, n) => server.as(`operator-${n}`))
  const replies = await Promise.all(callers.map((as) => claim(as, first)))
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409])
})

test('a claim leaves no audit row', async () => {
  await claim(ada, first)
  await release(ada, first)
  expect(await server.sql("SELECT id FROM audit_log WHERE target_type = 'bank_line'")).toEqual([])
})

test('a line that there is not cannot be claimed', async () => {
  for (const call of [claim, release])
    expect((await call(ada, '999999')).json()).toMatchObject({ code: 'not_found', message: 'Bank line not found' })
})
