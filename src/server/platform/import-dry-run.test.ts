import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { changesChannel } from '#server/core/audit.ts'
import { contextFor } from '#server/core/context.ts'
import { createHistoryHeaders, importHeaders, importUrl, buildMemberLine as member } from '#test/support/import.ts'
import { startServer } from '#test/support/server.ts'
import { importStream } from './import.ts'
import { openTableCopies } from './table-copies.ts'

const server = await startServer()
const platform = contextFor(server.services, { kind: 'platform', name: 'PLATFORM_API_KEY', scopes })
const dryRun = async (lines: (object | string)[]) => {
  const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const reply = await server.as(null)('POST', `${importUrl}?dryRun=true`, body, await createHistoryHeaders(server))
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}
const run = (lines: (object | string)[]) =>
  importStream(
    platform,
    Readable.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)),
  )
const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()
const address = (n: number) => `0x${String(n).padStart(40, '0')}`

const order = (orderNumber: string, memberId: string, more: object = {}) => ({
  type: 'order',
  orderNumber,
  memberId,
  projectId: 'p-1',
  projectName: 'Solar',
  investmentAmount: '1500.00',
  currency: 'EUR',
  expiresAt: at(400),
  bankName: 'Bank',
  accountHolder: 'Holder',
  accountNumber: '1',
  iban: 'X',
  swift: 'Y',
  paymentInstructions: 'Pay',
  ...more,
})
const kyc = (memberId: string, more: object = {}) => ({
  type: 'kyc',
  memberId,
  attempt: 1,
  step2: { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Portugal' },
  submit: true,
  submittedAt: at(2),
  ...more,
})
const token = (n: number, more: object = {}) => ({
  type: 'token',
  kind: 'earning',
  contractAddress: address(n),
  projectName: 'Solar',
  tokenSymbol: 'SOL',
  ...more,
})
const transaction = (id: string, memberId: string, more: object = {}) => ({
  type: 'transaction',
  id,
  memberId,
  kind: 'deposit',
  amount: '250.50',
  status: 'pending',
  createdAt: at(2),
  ...more,
})
const fraction = (id: string, memberId: string, more: object = {}) => ({
  type: 'fraction',
  id,
  memberId,
  projectName: 'Solar',
  amount: '12.5',
  tokenAddress: address(7),
  receivedAt: at(3),
  ...more,
})
const chain = (n: number, more: object = {}) => ({
  type: 'chainTransaction',
  transactionHash: `0x${String(n).padStart(64, 'A')}`,
  logIndex: 0,
  walletAddress: address(n),
  transactionType: 'deposit',
  tokenAddress: address(7),
  amount: '10.5',
  status: 'completed',
  createdAt: at(2),
  ...more,
})
const wallet = (memberId: string, n: number, more: object = {}) => ({
  type: 'wallet',
  memberId,
  address: address(n),
  ...more,
})
const filler = (name: string) => Array.from({ length: 520 }, (_, n) => member(`${name}-${n}`))

const approved = { decision: { result: 'approved', decidedAt: at(3) } }
const rejected = { decision: { result: 'rejected', reason: 'Blurred', decidedAt: at(3) } }
const everything = (id: string, n: number) => [
  member(id),
  wallet(id, n),
  kyc(id),
  order(`ORD-${id}`, id),
  transaction(`t-${id}`, id),
  fraction(`f-${id}`, id),
  token(n),
  chain(n),
]

/** A console that already holds some of everything. */
const before = [...everything('old', 1), member('old-2'), wallet('old-2', 2), kyc('old-2', approved)]

/** Later batches build on what earlier ones have made, changed or given free. */
const lines = [
  ...before,
  ...everything('new', 10),
  member('old', { legalFirstName: 'Ana' }),
  member('old-2', { email: 'moved@example.com' }),
  member('thief', { email: 'OLD@example.com' }),
  wallet('new', 1),
  kyc('new', { step2: undefined, ...rejected }),
  'nonsense',
  order('ORD-none', 'nobody'),
  ...filler('one'),
  ...everything('new', 10),
  member('heir', { email: 'OLD-2@example.com' }),
  member('late-thief', { email: 'new@example.com' }),
  wallet('old', 10),
  wallet('heir', 11, { createdAt: at(1) }),
  wallet('heir', 12),
  kyc('new', { attempt: 2, submittedAt: at(4), ...approved }),
  kyc('new', { attempt: 3 }),
  kyc('old', rejected),
  kyc('old-2', { attempt: 2 }),
  kyc('heir', approved),
  order('ORD-new', 'new', { projectName: 'Wind' }),
  order('ORD-old', 'new'),
  order('ORD-paid', 'new', { status: 'paid', paidAt: at(5) }),
  transaction('t-new', 'new', { status: 'completed' }),
  transaction('t-old', 'new'),
  fraction('f-new', 'heir'),
  token(10, { tokenSymbol: 'WND' }),
  chain(10, { status: 'failed' }),
  ...filler('two'),
  order('ORD-paid', 'new', { projectName: 'Wind' }),
  kyc('heir', { attempt: 2 }),
  kyc('late', {}),
  ...filler('one'),
]

const tables = async () => {
  const names = await server.sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_name NOT IN ('audit_log', 'list_deltas', 'list_days', 'list_totals')`,
  )
  const states = names.map(async ({ name }) => [
    name,
    await server.sql(
      `SELECT count(*)::int AS n, md5(string_agg(t::text, '|' ORDER BY t::text)) AS state FROM ${name} t`,
    ),
  ])
  return [...(await Promise.all(states)), await server.sql('SELECT last_value FROM membership_numbers')]
}
const auditCount = async () => (await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM audit_log'))[0]!.n

test('a dry run reports line by line what the import then does (product 10.3)', async () => {
  await run(before)
  const told = await dryRun(lines)
  expect(told.refused).toBeGreaterThan(10)
  expect(told.updated).toBeGreaterThan(5)
  expect(await dryRun(lines)).toEqual(told)
  const done = await run(lines)
  expect(told).toEqual(done)
  // And once more over all that stands now.
  expect(await dryRun(lines)).toEqual(await run(lines))
})

test('a dry run stores nothing and leaves one audit row', async () => {
  const [was, audits] = [await tables(), await auditCount()]
  const listener = await server.services.database.pool.connect()
  const heard: string[] = []
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await listener.query(`LISTEN ${changesChannel}`)
  const undecided = everything('dry', 20).filter(({ type }) => type !== 'kyc')
  const more = [...undecided, kyc('dry', approved), member('old', { legalFirstName: 'Eva' })]
  expect(await dryRun(more)).toMatchObject({ created: 8, updated: 1, refused: 0 })
  await listener.query('UNLISTEN *')
  listener.release()
  expect(await tables()).toEqual(was)
  expect(await auditCount()).toBe(audits + 1)
  expect(heard).toEqual(['logs'])
  const [audit] = await server.sql(`SELECT * FROM audit_log ORDER BY id DESC LIMIT 1`)
  expect(audit).toMatchObject({ action: 'import', details: { dryRun: true, created: 8, updated: 1 } })
})

test('a running dry run blocks no other change', async () => {
  await run(everything('free', 30))
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let isRead = () => {}
  const read = new Promise<void>((resolve) => (isRead = resolve))
  const under = importStream(
    server.system,
    (async function* () {
      const first = [...everything('free', 30), member('free', { legalFirstName: 'Dry' }), ...filler('busy')]
      yield Buffer.from(first.map((line) => `${JSON.stringify(line)}\n`).join(''))
      yield Buffer.from(
        filler('busy')
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      )
      await held
    })(),
    { isDryRun: true, onProgress: isRead },
  )
  await read
  await server.services.database.transaction(async (tx) => {
    await tx.execute(`SET LOCAL lock_timeout = '1s'`)
    await tx.execute(`UPDATE members SET legal_last_name = 'Real' WHERE id = 'free'`)
    await tx.execute(`INSERT INTO members (id, email) VALUES ('busy-1', 'real@example.com')`)
  })
  release()
  expect(await under).toMatchObject({ refused: 0, updated: 1, created: 520 })
  expect(await server.sql(`SELECT legal_first_name AS first FROM members WHERE id = 'free'`)).toEqual([{ first: null }])
})

test('a value that only the database refuses is one refused line of a dry run', async () => {
  await server.sql(`ALTER TABLE members ADD CONSTRAINT poison CHECK (legal_first_name <> 'poison')`)
  const lines = [member('v-1'), member('v-2', { legalFirstName: 'poison' }), member('v-3')]
  const told = await dryRun(lines)
  expect(told).toEqual(await run(lines))
  await server.sql('ALTER TABLE members DROP CONSTRAINT poison')
  expect(told).toMatchObject({ created: 2, refused: 1, errors: [{ line: 2 }] })
})

test('a server runs four dry runs at a time, and two of them with one key', async () => {
  const open = (name: string) => openTableCopies({ ...platform, actor: { kind: 'platform', name, scopes } })
  const running = [await open('a'), await open('a')]
  await expect(open('a')).rejects.toMatchObject({ code: 'overloaded', message: expect.stringContaining('this key') })
  running.push(await open('b'), await open('c'))
  const onServer = { code: 'overloaded', message: expect.stringContaining('this server') }
  for (let attempt = 0; attempt < 3; attempt++) await expect(open('d')).rejects.toMatchObject(onServer)
  await running.pop()!.close()
  running.push(await open('d'))
  for (const { close } of running) await close()
})

test('a dry run that breaks off says that nothing was stored', async () => {
  async function* broken() {
    yield Buffer.from(
      filler('cut')
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    )
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  }
  await expect(importStream(server.system, broken(), { isDryRun: true })).rejects.toMatchObject({
    status: 400,
    message: 'The input broke off: it was a dry run, nothing was stored',
  })
})

test.each(['dryrun=true', 'dry_run=true', 'dryRun', 'dryRun=', 'dryRun=1', 'batch='])(
  'what was meant as a dry run and misspelt (%s) is refused, and stores nothing (product 10.3)',
  async (query) => {
    const id = `misspelt-${query.replace(/\W/g, '-')}`
    const reply = await server.as(null)('POST', `${importUrl}?${query}`, JSON.stringify(member(id)), importHeaders)
    expect([reply.statusCode, reply.json().code], reply.body).toEqual([400, 'invalid'])
    expect(reply.json().message).toMatch(new RegExp(`^${query.split('=')[0]}: `))
    expect(await server.sql('SELECT FROM members WHERE id = $1', [id])).toEqual([])
  },
)
