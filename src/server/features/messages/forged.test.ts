import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '#server/core/context.ts'
import { platformEvents, resendMessages, signStoredMessages } from '#server/features/messages/service.ts'
import { readSigningKeys } from '#server/core/signing-keys.ts'
import { createMessageTables } from '#test/support/messages.ts'
import { buildEvents, neverStop, startEventDelivery } from '#test/support/event-delivery.ts'
import { makeAttempt, makeMember } from '#test/support/make.ts'
import { sendDue } from './send.ts'
import { kycCases, queueCase } from './kyc-cases.ts'

const delivery = await startEventDelivery()
const { server, system, sql, runJob, enqueue, endpoint, sentTypes, readMessages, readTries } = delivery
const rows = createMessageTables(server)
const raised = () => sql(`SELECT severity, event_type, description FROM security_events ORDER BY id`)
const states = async (memberId: string) => (await readMessages(memberId)).map(({ state }) => state)

beforeEach(() => sql('DELETE FROM security_events'))

test('a message written into the table by hand is not sent, and is a critical event', async () => {
  const id = await rows.event({ entity: ['member', 'forged'] })
  await runJob()
  expect(sentTypes()).toEqual([])
  expect(await states('forged')).toEqual(['failed'])
  expect(await readTries('forged')).toMatchObject([
    { success: false, http_status: null, error_message: 'Not sent: the console did not write this message' },
  ])
  expect(await raised()).toEqual([
    {
      severity: 'critical',
      event_type: 'message_forged',
      description: `A message stood in the queue that the console did not write, and was not sent: member.banned of member forged (row ${id})`,
    },
  ])
})

test('a forged message holds up no other of its member, and none when it is sent again', async () => {
  const id = await rows.event({ entity: ['member', 'both'] })
  await enqueue(...buildEvents('both', 'member.unbanned'))
  await runJob()
  expect(sentTypes()).toEqual(['member.unbanned'])
  await inTransaction(system, (tx) => resendMessages(tx, [id]))
  await runJob()
  expect(sentTypes()).toEqual(['member.unbanned'])
})

test.each([
  ['its payload', `UPDATE platform_events SET payload = payload || '{"reason": "Other"}'`],
  ['a field more', `UPDATE platform_events SET payload = payload || '{"amount": "1"}'`],
  ['its version', 'UPDATE platform_events SET version = 9'],
  ['its number', 'UPDATE platform_events SET sequence = 9'],
  ['its id', `UPDATE messages SET message_id = gen_random_uuid()`],
  ['its entity', `UPDATE messages SET entity_id = 'another'`],
  ['its type', `UPDATE messages SET type = 'member.unbanned'`],
  ['its time', `UPDATE messages SET created_at = created_at - interval '1 day'`],
  ['its MAC', `UPDATE messages SET mac = left(mac, -1) || CASE right(mac, 1) WHEN 'A' THEN 'E' ELSE 'A' END`],
  ['the key of its MAC', `UPDATE messages SET mac = 'aaaaaaaaaaaaaaaa.' || split_part(mac, '.', 2)`],
])('an event of which somebody changed %s is not sent', async (_what, change) => {
  await enqueue(...buildEvents('changed', 'member.banned'))
  await sql(change)
  await runJob()
  expect(endpoint.calls).toEqual([])
  expect(await sql('SELECT state FROM messages')).toEqual([{ state: 'failed' }])
})

test('an event that was sent can be sent again, with what it said', async () => {
  await enqueue(...buildEvents('again', 'member.banned'))
  await runJob()
  const [message] = await sql<{ id: string }>('SELECT id::text FROM messages')
  await inTransaction(system, (tx) => resendMessages(tx, [message!.id]))
  await runJob()
  expect(sentTypes()).toEqual(['member.banned', 'member.banned'])
  expect(await raised()).toEqual([])
})

test('a case for the provider that was put in by hand is not sent', async () => {
  const [forged, own] = [await makeMember(server), await makeMember(server)]
  for (const { id } of [forged, own]) await makeAttempt(server, id)
  const sent: string[] = []
  const send = async (_to: object, _id: string, { userId }: { userId: string }) => {
    sent.push(userId)
    return { success: true, errorMessage: null, httpStatus: 200, latencyMs: 1, responseExcerpt: null }
  }
  const kycProvider = { hasSandbox: false, find: async () => ({ url: 'x:', secrets: [], isSandbox: false }), send }
  await rows.sentCase(forged.id, { state: 'waiting', tries: 0 })
  await sql(`UPDATE messages SET next_try_at = now() - interval '1 second'`)
  await inTransaction(system, (tx) => queueCase(tx, system, own.id, 1))
  await sendDue({ ...system, kycProvider }, kycCases, neverStop)
  expect(sent).toEqual([own.id])
  expect(await raised()).toMatchObject([{ event_type: 'message_forged' }])
})

test('messages from before there were MACs are signed once, and then go out', async () => {
  await rows.event({ entity: ['member', 'old'] })
  await enqueue(...buildEvents('new', 'member.unbanned'))
  const keys = readSigningKeys(system.config).map(({ id }) => id)
  const said: string[] = []
  const sign = () => inTransaction(system, (tx) => signStoredMessages(tx, system, keys, (line) => said.push(line)))
  expect([await sign(), await sign(), said]).toEqual([1, 0, []])
  await sendDue(system, platformEvents, neverStop)
  expect(sentTypes().toSorted()).toEqual(['member.banned', 'member.unbanned'])
})

test('the operator is told that many messages are signed', async () => {
  await sql(`INSERT INTO messages (channel, direction, type, entity_type, entity_id, attempt_number, state)
    SELECT 'kyc', 'out', 'kyc.submitted', 'member', 'm-' || n, 1, 'delivered' FROM generate_series(1, 2001) n`)
  const said: string[] = []
  await inTransaction(system, (tx) => signStoredMessages(tx, system, [], (line) => said.push(line)))
  expect(said).toEqual(['Signing the messages that were stored before there was a key. This is done once.'])
})
