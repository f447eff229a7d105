import { beforeEach, expect, test } from 'vitest'
import { contextFor, inTransaction } from '#server/core/context.ts'
import { kycCases, queueCase, sendDue } from '#server/features/messages/service.ts'
import { startCrashTest, type Console, type Reply } from './support/crash-test.ts'
import { importHeaders, importUrl, buildMemberLine } from './support/import.ts'
import { makeAttempt, makeMember, makeOrder, newAddress } from './support/make.ts'
import { startProviderConsole } from './support/provider-console.ts'

// Changes of several transactions: what stands between two of them must be something from which it goes on.

const { provider, server } = await startProviderConsole()
const { crashAtEachStatement, crashing, surviving, cookie } = await startCrashTest(server)
beforeEach(() => {
  provider.answer = provider.accept
})

const broken = (): Reply => ({ statusCode: 0, body: '' })
const runQueue = ({ services }: Console) =>
  sendDue(contextFor(services, { kind: 'system', name: 'queue' }), kycCases, new AbortController().signal, {
    atOnce: 1,
  })

async function makeSubmitted() {
  const made = await makeMember(server, { kycStatus: 'submitted', kycSubmissionCount: 1 })
  await makeAttempt(server, made.id)
  return made.id
}
async function makeQueued() {
  const id = await makeSubmitted()
  await inTransaction(server.system, (tx) => queueCase(tx, server.system, id, 1))
  return id
}
async function makeFailed() {
  const id = await makeQueued()
  provider.answer = (response) => void response.writeHead(500).end()
  await runQueue(surviving)
  provider.answer = provider.accept
  return id
}

const submit = ({ call }: Console, userId: string) => call('POST', '/api/kyc/submit-for-verification', { userId })
const retry = ({ call }: Console, userId: string) => call('POST', '/api/kyc/webhook-retry', { userId })

/** The case is held and nothing else has happened to it: nobody else may try it, until the queue takes it over. */
async function goesOn(found: string[], userId: string) {
  const readMessage = async () =>
    (
      await server.sql(
        `SELECT state, message_id AS id FROM messages WHERE channel = 'kyc' AND direction = 'out' AND entity_id = $1`,
        [userId],
      )
    )[0]!
  const { state, id } = await readMessage()
  expect(state).toBe('sending')
  expect(found.filter((line) => /^. (members|message_attempts) /.test(line))).toEqual([])
  expect((await submit(surviving, userId)).statusCode).toBe(409)
  await server.sql(`UPDATE messages SET lease_until = now() - interval '1 second' WHERE entity_id = $1`, [userId])
  await runQueue(surviving)
  expect(await readMessage()).toEqual({ state: 'delivered', id })
  const sent = provider.calls.filter(({ body }) => body.includes(`"${userId}"`))
  expect(new Set(sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]))
  const [member] = await server.sql('SELECT kyc_status AS status FROM members WHERE id = $1', [userId])
  expect(member).toEqual({ status: 'under_review' })
}

test('a server killed while it submits a case leaves nothing or a queued case (product 11.1)', () =>
  crashAtEachStatement({ make: makeSubmitted, act: submit, checkBetween: goesOn }))

test('a server killed while it retries a case leaves nothing or a queued case (product 11.1)', () =>
  crashAtEachStatement({ make: makeFailed, act: retry, statusAgain: 409, checkBetween: goesOn }))

test("another server sends a killed server's case under the same id (product 11.1)", () =>
  crashAtEachStatement({
    make: makeQueued,
    act: (console) => runQueue(console).then(() => ({ statusCode: 200, body: '' }), broken),
    commitsAlone: /^\s*WITH capacity AS/,
    // Its third transaction finds nothing more to do.
    standsAfter: 2,
    checkBetween: goesOn,
  }))

let made = 0
test('a server killed while it imports leaves whole batches (product 10.3)', () =>
  crashAtEachStatement({
    make: async () => `m-90${++made}`,
    act: ({ app }, id) => {
      const lines = [
        buildMemberLine(id),
        { type: 'wallet', memberId: id, address: newAddress() },
        {
          type: 'kyc',
          memberId: id,
          attempt: 1,
          step2: { dateOfBirth: '1991-03-14', nationality: 'PT', countryOfResidence: 'ES' },
          submit: true,
        },
      ]
      const payload = lines.map((line) => JSON.stringify(line)).join('\n')
      return app.inject({ method: 'POST', url: importUrl, headers: importHeaders, payload })
    },
    checkBetween: async (found, _id, whole) => {
      // Who imported is told with the first lines; of its end there is neither row nor count.
      const isOfEnd = (line: string, at: number) =>
        line.includes('"accepted"') || (line.includes('"list": "audit_log"') && whole.indexOf(line) !== at)
      expect(found).toEqual(whole.filter((line, at) => !isOfEnd(line, at)))
    },
  }))

test('a server killed while it exports has sent nothing of which there is no audit row (product 6.9)', async () => {
  for (const { app } of [crashing, surviving]) await app.listen({ port: 0, host: '127.0.0.1' })
  await crashAtEachStatement({
    make: async () => makeOrder(server, (await makeMember(server)).id),
    act: async ({ app }, { orderNumber }) => {
      const url = `${app.listeningOrigin}/api/exports/orders?search=${orderNumber}`
      const response = await fetch(url, { headers: { cookie } })
      // Whatever came is a reply, also when it broke off.
      const body = await response.text().catch(() => '')
      return { statusCode: response.status, body }
    },
    // Its second COMMIT ends the snapshot, which only reads.
    standsAfter: 1,
  })
})
