import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { sealAudit } from '#server/features/audit-chain/service.ts'
import { auditKey, buildDatabaseUrl, documentsKey } from '#test/support/console-process.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { settle } from '#test/support/settle.ts'
import type { Outcome } from './call.ts'
import { checkDatabase } from './check-database.ts'
import { checkEvents, type ReceivedEvent, type StoredEvent } from './check-events.ts'
import { checkHistory, judgeOperation } from './check-history.ts'
import { runAdmin } from './console.ts'
import { compareDigests, computeDigest } from './digest.ts'
import { History, type Operation } from './history.ts'
import { summarizeFuzz } from './scenarios/fuzzed-calls.ts'
import { judgeRace } from './scenarios/simultaneous-operators.ts'
import { findCluster } from '#test/support/cluster.ts'

/** A console with a member who was banned by a call, the history of that call, and ways to tamper with what it left. */
async function startBanned(outcome: Outcome = 'acknowledged') {
  const server = await startServer()
  const client = new pg.Client(server.connection)
  await client.connect()
  onTestFinished(() => client.end())
  const { id } = await makeMember(server)
  const call = { method: 'POST', path: `/api/users/${id}/ban` } as const
  const operation: Operation = { kind: 'ban', target: id, mark: 'Fraud', call }
  const reply = await server.as('ada')('POST', call.path, { reason: 'Fraud' })
  expect(reply.statusCode, reply.body).toBe(200)
  const history = new History()
  const requestId = String(reply.headers['x-request-id'])
  history.record(operation, { outcome, status: 200, code: null, requestId, body: '', from: 0, to: 1 })
  return {
    server,
    client,
    id,
    /** As somebody does who has the database: without triggers, constraints and rights. */
    tamper: (text: string) => server.sql(`SET LOCAL session_replication_role = replica; ${text}`),
    findViolations: async () => (await checkHistory(client, history)).map(({ kind }) => kind),
    findFaults: () => checkDatabase(client),
  }
}

test('a sound change passes the checks that the faults below break', async () => {
  const { findViolations, findFaults } = await startBanned()
  expect(await findViolations()).toEqual([])
  expect(await findFaults()).toEqual([])
})

test('an acknowledged change that the database lost is found', async () => {
  const { id, tamper, findViolations } = await startBanned()
  await tamper(`
    UPDATE members SET banned = false, banned_reason = NULL, banned_by = NULL, banned_at = NULL WHERE id = '${id}';
    DELETE FROM messages; DELETE FROM platform_events; DELETE FROM audit_log WHERE target_id = '${id}'`)
  expect(await findViolations()).toEqual(['lost', 'unaudited'])
})

test('a change without its message is found', async () => {
  const { id, tamper, findViolations, findFaults } = await startBanned()
  await tamper('DELETE FROM messages')
  expect(await findViolations()).toEqual(['partial'])
  expect(await findFaults()).toEqual([`an event with more or fewer than one message: member.banned of ${id}: 0`])
})

test('a doubled message is found', async () => {
  const { server, findViolations } = await startBanned()
  await server.sql('DROP INDEX messages_event')
  const columns = 'channel, direction, endpoint_id, event_row, message_id, type, entity_type, entity_id, ordering_key'
  await server.sql(`INSERT INTO messages (${columns}) SELECT ${columns} FROM messages`)
  expect(await findViolations()).toEqual(['doubled'])
})

test('a refused change that stands is found', async () => {
  const { findViolations } = await startBanned('refused')
  expect(await findViolations()).toEqual(['unasked'])
})

test('an event without its change is found', async () => {
  const { server, findFaults } = await startBanned()
  await server.sql(
    `INSERT INTO platform_events (type, entity_type, entity_id, version, payload) VALUES ('member.banned', 'member', 'm-0', 1, '{}')`,
  )
  expect(await findFaults()).toEqual([
    'an event without an audit row of its transaction: member.banned of m-0',
    'an event with more or fewer than one message: member.banned of m-0: 0',
  ])
})

test('an audit row without its event is found', async () => {
  const { id, tamper, findFaults } = await startBanned()
  await tamper('DELETE FROM messages; DELETE FROM platform_events')
  expect(await findFaults()).toEqual([
    `an audit row of an announced action without an event of its transaction: ban_user of ${id}`,
  ])
})

test('money and counts that do not add up are found', async () => {
  const { server, id, tamper, findFaults } = await startBanned()
  const { orderNumber } = await makeOrder(server, id)
  await tamper(
    `UPDATE orders SET received = 1; INSERT INTO members (id, email) VALUES ('uncounted', 'uncounted@example.com')`,
  )
  expect(await findFaults()).toEqual([
    `an order whose received money is not the sum of its parts: ${orderNumber}`,
    'a count of the list users that is not the number of its rows: 1 instead of 2',
  ])
})

test('an audit row that was changed behind its seal is found', async () => {
  const { server, id, tamper } = await startBanned()
  await settle(server)
  await sealAudit(server.system, new AbortController().signal)
  await tamper(`UPDATE audit_log SET actor_name = 'somebody else' WHERE target_id = '${id}'`)
  const verified = await runAdmin(['audit', 'verify'], {
    DATABASE_URL: buildDatabaseUrl(findCluster().postgres, server.connection.database!),
    DATA_DIR: server.services.config.dataDir,
    AUDIT_KEY: auditKey,
    DOCUMENTS_KEY: documentsKey,
  })
  expect(verified).toMatchObject({ code: 1, text: expect.stringContaining('was changed') })
})

const call = (outcome: Outcome, status: number | null, code: string | null = null) => ({
  outcome,
  status,
  code,
  requestId: null,
  from: 0,
  to: 1,
})
const none = { state: 0, audits: 0, events: 0, messages: 0 }
const whole = { state: 1, audits: 1, events: 1, messages: 1 }
const done = call('acknowledged', 200)
const broken = call('unknown', null, 'ECONNRESET')
const away = call('refused', 503, 'database_unavailable')
const before = call('refused', 409, 'already_banned')

test.each([
  ['nothing of an acknowledged change', [done], none, 'lost'],
  ['half of an unknown change', [broken], { ...whole, events: 0 }, 'partial'],
  ['two events of an acknowledged change', [done], { ...whole, events: 2 }, 'doubled'],
  ['a change that was acknowledged twice', [done, done], whole, 'doubled'],
  ['a change that was only ever refused', [away], whole, 'unasked'],
  ['a conflict with a change that is not there', [broken, before], none, 'contradicted'],
  ['a refusal without a reason', [call('refused', 403, 'forbidden')], none, 'unexpected'],
  ['an acknowledged change', [away, done], whole, undefined],
  ['an unknown change that stands', [broken, before], whole, undefined],
  ['an unknown change that does not stand', [broken], none, undefined],
])('%s is judged', (_what, calls, found, expected) => {
  expect(judgeOperation({ kind: 'ban' }, calls, found)).toBe(expected)
})

const stored: StoredEvent[] = [
  { id: 'one', type: 'member.banned', entity: 'member/m-1', sequence: 1 },
  { id: 'two', type: 'member.unbanned', entity: 'member/m-1', sequence: 2 },
]
const receive = ({ id, type, sequence }: StoredEvent, more: Partial<ReceivedEvent> = {}): ReceivedEvent => ({
  id,
  body: JSON.stringify({ type, entity: { type: 'member', id: 'm-1' }, sequence }),
  isSigned: true,
  ...more,
})
const [one, two] = [receive(stored[0]!), receive(stored[1]!)]

test('events that came in order, some of them again, pass', () => {
  expect(checkEvents(stored, [one, one, two, two])).toEqual([])
})

test.each([
  ['one that never came', [one], 'member.unbanned of member/m-1 never came'],
  [
    'one of no change',
    [one, two, { ...one, id: 'three' }],
    'member.banned of member m-1 came, of which there is no change',
  ],
  ['one behind a later one', [two, one], 'member.banned of member m-1 came after a later one of the same entity'],
  [
    'one without a signature',
    [{ ...one, isSigned: false }, two],
    'member.banned of member m-1 came without a right signature',
  ],
  [
    'one in place of another',
    [{ ...two, id: 'one' }, two],
    'member.unbanned of member m-1 came as another event than it is',
  ],
])('among received events %s is found', (_what, received, fault) => {
  expect(checkEvents(stored, received)).toContain(fault)
})

test('a second winner and an odd loser are found', () => {
  const [won, lost] = [
    { status: 200, code: null },
    { status: 409, code: 'order_state' },
  ]
  expect(judgeRace([won, lost, lost])).toBeUndefined()
  expect(judgeRace([won, won, lost])).toBe('2 operators won')
  expect(judgeRace([lost, lost])).toBe('0 operators won')
  expect(judgeRace([won, { status: 503, code: 'busy' }])).toBe('a loser was answered with 503 busy')
})

test('a row that differs after a restore is found', async () => {
  const { server, client, id } = await startBanned()
  const before = await computeDigest(client, '', [])
  expect(compareDigests(before, await computeDigest(client, '', []))).toEqual([])
  await server.sql(`UPDATE members SET legal_phone = '1' WHERE id = $1`, [id])
  const differences = compareDigests(before, await computeDigest(client, '', []))
  expect(differences).toContainEqual(expect.stringMatching(/^table members: /))
})

test('a fuzz run with a fault, or one that sent too little, is found', () => {
  const statuses: [number, number][] = [
    [200, 6],
    [400, 4],
  ]
  const console = { api: 'console', statuses, faults: [] }
  const platform = { ...console, api: 'platform' }
  const judge = (...given: Parameters<typeof summarizeFuzz>) => summarizeFuzz(...given).violations
  expect(judge([console, platform], 10, 0, '')).toEqual([])
  expect(judge([console, { ...platform, faults: ['a fault: internal'] }], 10, 1, '')).toEqual(['a fault: internal'])
  expect(judge([console, platform], 11, 0, '')).toHaveLength(2)
  expect(judge([console], 10, 0, '')).toEqual(['1 of 2 APIs were fuzzed'])
  expect(judge([console, platform], 10, 1, 'it died')).toEqual(['the run ended with 1: it died'])
})
