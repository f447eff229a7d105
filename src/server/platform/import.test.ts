import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { pickCounts, createImporter, buildMemberLine as member } from '#test/support/import.ts'
import { startServer } from '#test/support/server.ts'
import { importStream } from './import.ts'

const server = await startServer()
const send = createImporter(server)
const row = async (id: string) => (await server.sql('SELECT * FROM members WHERE id = $1', [id]))[0]!
/** `0x` and 40 digits, none of them letters. */
const address = (n: number) => `0x${String(n).padStart(40, '0')}`

function* manyMembers(count: number) {
  for (let n = 0; n < count; n++)
    yield `${JSON.stringify(member(`big-${n}`, { legalFirstName: 'Ana', legalLastName: `Lima ${n}` }))}\n`
}

describe('members', () => {
  test('a member is created, repeated without effect, and changed only by what is sent (product 10.3)', async () => {
    const whole = member('m-a', { legalFirstName: 'Ana', legalPhone: '+351 1', createdAt: '2026-01-05T10:00:00+01:00' })
    expect(await send(whole)).toEqual({ accepted: 1, created: 1, updated: 0, unchanged: 0, refused: 0, errors: [] })
    expect(pickCounts(await send(whole, member('m-a')))).toEqual({ created: 0, updated: 0, unchanged: 2, refused: 0 })
    expect(await row('m-a')).toMatchObject({ version: 1, created_at: new Date('2026-01-05T09:00:00Z') })
    expect(
      pickCounts(await send(member('m-a', { legalLastName: 'Lima', createdAt: '2025-12-01T00:00:00Z' }))),
    ).toMatchObject({ updated: 1 })
    expect(await row('m-a')).toMatchObject({
      legal_first_name: 'Ana',
      legal_last_name: 'Lima',
      legal_phone: '+351 1',
      version: 2,
      created_at: new Date('2025-12-01T00:00:00Z'),
      kyc_current_step: 1,
      kyc_status: null,
    })
  })

  test('a change of name or e-mail is audited before and after', async () => {
    await send(member('m-b', { legalFirstName: 'Bo' }), member('m-b', { legalPhone: '1' }))
    await send({ ...member('m-b'), email: 'b2@example.com', legalFirstName: 'Bob' })
    const audits = await server.sql(
      `SELECT *, audit_details(id, details) AS details FROM audit_log WHERE target_id = 'm-b'`,
    )
    expect(audits).toHaveLength(1)
    expect(audits[0]).toMatchObject({
      action: 'update_member',
      actor_name: 'platform:move-in',
      details: {
        before: { email: 'm-b@example.com', legalFirstName: 'Bo' },
        after: { email: 'b2@example.com', legalFirstName: 'Bob' },
      },
    })
  })

  test('an e-mail belongs to one member whatever its case', async () => {
    const result = await send(
      member('m-c1', { email: 'ÉVA@example.com' }),
      member('m-c2', { email: 'éva@Example.com' }),
      member('m-c3'),
      member('m-c3', { email: 'Éva@example.com' }),
      member('m-c1', { email: 'other@example.com' }),
      member('m-c2', { email: 'éva@example.com' }),
    )
    expect(result.errors.map(({ line }) => line)).toEqual([2, 4])
    expect(result.errors[0]!.message).toContain('email: another member already has this e-mail')
    expect((await row('m-c2')).email).toBe('éva@example.com')
    expect(await row('m-c1')).toMatchObject({ email: 'other@example.com', version: 2 })
  })

  test('two members swap their e-mails over three lines of one batch', async () => {
    await send(member('m-s1'), member('m-s2'))
    const result = await send(
      member('m-s1', { email: 'tmp@example.com' }),
      member('m-s2', { email: 'm-s1@example.com' }),
      member('m-s1', { email: 'm-s2@example.com' }),
    )
    expect(pickCounts(result)).toMatchObject({ updated: 3, refused: 0 })
    expect([(await row('m-s1')).email, (await row('m-s2')).email]).toEqual(['m-s2@example.com', 'm-s1@example.com'])
  })
})

describe('what else a line can carry', () => {
  test('wallets, transactions, fractions and transfers join members of their batch', async () => {
    const hash = `0x${'Ab'.repeat(32)}`
    const lines = [
      member('m-d'),
      {
        type: 'wallet',
        memberId: 'm-d',
        address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        createdAt: '2026-01-01T00:00:00Z',
      },
      {
        type: 'transaction',
        id: 't-1',
        memberId: 'm-d',
        kind: 'deposit',
        amount: '250.50',
        status: 'pending',
        createdAt: '2026-01-02T00:00:00Z',
      },
      {
        type: 'fraction',
        id: 'f-1',
        memberId: 'm-d',
        projectName: 'Solar',
        amount: '12.5',
        tokenAddress: address(7),
        receivedAt: '2026-01-02T00:00:00Z',
      },
      {
        type: 'chainTransaction',
        transactionHash: hash,
        logIndex: 0,
        walletAddress: address(9),
        transactionType: 'deposit',
        tokenAddress: address(7),
        tokenSymbol: 'SOL',
        amount: '10.123456789012345678',
        status: 'completed',
        createdAt: '2026-01-02T00:00:00Z',
      },
    ]
    expect(pickCounts(await send(...lines))).toEqual({ created: 5, updated: 0, unchanged: 0, refused: 0 })
    expect(pickCounts(await send(...lines))).toEqual({ created: 0, updated: 0, unchanged: 5, refused: 0 })
    expect(await server.sql('SELECT address FROM wallets')).toEqual([
      { address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' },
    ])
    expect(await server.sql('SELECT * FROM chain_transactions')).toMatchObject([
      { transaction_hash: hash.toLowerCase(), is_imported: true, amount: '10.123456789012345678', token_symbol: 'SOL' },
    ])
    expect(pickCounts(await send({ ...lines[2], amount: '0250.5', status: 'completed' }))).toMatchObject({ updated: 1 })
    expect(await server.sql('SELECT amount, status FROM platform_transactions')).toEqual([
      { amount: '250.50', status: 'completed' },
    ])
  })

  test('each refusal names its line and field, and never stops the others (product 10.3)', async () => {
    await send(member('m-e'), { type: 'wallet', memberId: 'm-e', address: address(77) })
    const result = await send(
      '{not json',
      '[]',
      { type: 'invoice', id: 'x' },
      member('m-e1', { isAdmin: true }),
      member('m-e1', { email: 'nonsense' }),
      member('bad id!'),
      member('m-e1', { createdAt: '0099-12-31T23:00:00Z' }),
      member('m-e1', { legalFirstName: 'nul\u0000' }),
      '',
      { type: 'wallet', memberId: 'm-nobody', address: address(1) },
      { type: 'wallet', memberId: 'm-e1', address: address(1) },
      member('m-e1'),
      { type: 'wallet', memberId: 'm-e1', address: address(77) },
      { type: 'wallet', memberId: 'm-e1', address: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      {
        type: 'transaction',
        id: 't-9',
        memberId: 'm-e1',
        kind: 'deposit',
        amount: '-1',
        status: 'pending',
        createdAt: '2026-01-02T00:00:00Z',
      },
      member('m-e2'),
      { type: 'member', id: 'm-e3', emial: 'e3@example.com' },
    )
    expect(pickCounts(result)).toEqual({ created: 2, updated: 0, unchanged: 0, refused: 14 })
    expect(result.errors).toMatchObject([
      { line: 1, message: expect.stringContaining('JSON') },
      { line: 2, message: expect.stringContaining('JSON object') },
      { line: 3, message: expect.stringContaining('type: must be one of member') },
      { line: 4, message: 'isAdmin: is not known here' },
      { line: 5, message: expect.stringContaining('email: must be an e-mail'), code: 'invalid' },
      { line: 6, message: expect.stringContaining('id: ') },
      { line: 7, message: 'createdAt: must be an instant of the years 1000 to 9999' },
      { line: 8, message: expect.stringContaining('legalFirstName: ') },
      { line: 10, message: 'memberId: there is no member m-nobody', code: 'not_found' },
      { line: 11, message: 'memberId: there is no member m-e1' },
      { line: 13, message: expect.stringContaining('belongs to another member'), code: 'wallet_taken' },
      { line: 14, message: expect.stringContaining('checksum') },
      { line: 15, message: expect.stringContaining('amount: ') },
      { line: 17, message: 'email: is missing; emial: is not known here' },
    ])
  })

  test('unusual line ends, marks and bytes are read or refused by number', async () => {
    const long = JSON.stringify(member('m-f9', { legalFirstName: 'x'.repeat(70_000) }))
    const body = Buffer.concat([
      Buffer.from(`\uFEFF${JSON.stringify(member('m-f1'))}\r\n\r\n`),
      Buffer.from(`${JSON.stringify(member('m-f2'))}\n`),
      Buffer.from([0x7b, 0xff, 0xfe, 0x0a]),
      Buffer.from(`${long}\n`),
      Buffer.from(JSON.stringify(member('m-f3'))),
    ])
    // Three bytes at a time, so that lines and characters are cut everywhere.
    const pieces = function* () {
      for (let at = 0; at < body.length; at += 3) yield body.subarray(at, at + 3)
    }
    const result = await importStream(server.system, Readable.from(pieces()))
    expect(pickCounts(result)).toEqual({ created: 3, updated: 0, unchanged: 0, refused: 2 })
    expect(result.errors).toMatchObject([
      { line: 4, message: 'the line is not valid UTF-8' },
      { line: 5, message: 'the line is longer than 64 kB' },
    ])
  })
})

describe('batches', () => {
  test('a value that only the database refuses costs its own line, not its batch', async () => {
    await server.sql(`ALTER TABLE members ADD CONSTRAINT poison CHECK (legal_first_name <> 'poison')`)
    const lines = Array.from({ length: 500 }, (_, n) =>
      member(`m-p${n}`, { legalFirstName: n === 333 ? 'poison' : 'fine' }),
    )
    const result = await send(...lines)
    await server.sql('ALTER TABLE members DROP CONSTRAINT poison')
    expect(pickCounts(result)).toEqual({ created: 499, updated: 0, unchanged: 0, refused: 1 })
    expect(result.errors).toMatchObject([{ line: 334, message: expect.stringContaining('database') }])
  })

  test('the same file sent four times at once has one effect and no error', async () => {
    const lines = Array.from({ length: 1200 }, (_, n) => [
      member(`m-q${n % 900}`),
      { type: 'wallet', memberId: `m-q${n % 900}`, address: address(100_000 + (n % 900)) },
    ]).flat()
    const results = await Promise.all([send(...lines), send(...lines), send(...lines.toReversed()), send(...lines)])
    expect(results.reduce((sum, result) => sum + result.created, 0)).toBe(1800)
    for (const result of results.filter((_, at) => at !== 2)) expect(result.refused).toBe(0)
    expect(await server.sql(`SELECT count(*)::int AS n FROM members WHERE id LIKE 'm-q%'`)).toEqual([{ n: 900 }])
  })

  test('twenty thousand members are imported quickly in flat memory', async () => {
    const before = process.memoryUsage().heapUsed
    const result = await importStream(server.system, Readable.from(manyMembers(20_000)))
    expect(result.created).toBe(20_000)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(150e6)
    const [sums] = await server.sql(`
      SELECT (SELECT count(*) FROM members)::int AS members,
        (SELECT coalesce(sum(rows), 0) FROM list_deltas WHERE list = 'users')::int + (SELECT coalesce(sum(rows), 0) FROM list_totals WHERE list = 'users')::int AS counted`)
    expect(sums!.counted).toBe(sums!.members)
  })
})
