import sharp from 'sharp'
import { expect, test } from 'vitest'
import { matchFlags, matchOutcomes } from '#contract/bank-allocations.ts'
import { findChainBinary } from '#demo/chain/binary.ts'
import { markLocalChain, readLocalChainStart } from '#demo/chain/local-chain.ts'
import { holdsDemoData } from '#server/core/stored-settings.ts'
import { runJob } from '#test/support/jobs.ts'
import { startServer } from '#test/support/server.ts'
import { makeDecisions } from './bans.ts'
import { fillDemo } from './fill.ts'
import { makePlatform } from './history.ts'

const server = await startServer({ CHAIN_MODE: 'off' })
const { services } = server
const sql: typeof server.sql = (text, values) => server.sql(text, values)
const demo = { ...services, config: { ...services.config, isDemoWanted: true } }
const one = async (text: string) => (await sql(text))[0]!

/** Everything but the moment of writing, table by table. */
const digest = async () =>
  one(`SELECT
    (SELECT md5(string_agg(m::text, '|' ORDER BY id)) FROM members m) AS members,
    (SELECT md5(string_agg(s::text, '|' ORDER BY id)) FROM kyc_submissions s) AS submissions,
    (SELECT md5(string_agg(d::text, '|' ORDER BY key)) FROM documents d) AS documents,
    (SELECT md5(string_agg(t::text, '|' ORDER BY id)) FROM platform_transactions t) AS transactions,
    (SELECT md5(string_agg(o::text, '|' ORDER BY id)) FROM orders o) AS orders,
    (SELECT md5(string_agg(l::text, '|' ORDER BY id)) FROM bank_lines l) AS lines,
    (SELECT md5(string_agg(p::text, '|' ORDER BY id)) FROM bank_allocations p) AS allocations,
    (SELECT md5(string_agg(c::text, '|' ORDER BY id)) FROM chain_transactions c) AS chain`)

test.skipIf(!findChainBinary())(
  'where a local chain can run, its beginning is written down with the fill’s (product 13.4)',
  async () => {
    const auto = { ...demo, config: { ...demo.config, chainMode: 'auto' as const } }
    const cut = () => {
      throw new Error('cut short')
    }
    await expect(fillDemo(auto, cut)).rejects.toThrow('cut short')
    const [instant] = await sql(`SELECT value FROM settings WHERE name = 'demo_started_at'`)
    expect(await readLocalChainStart(services.database.db)).toBe(instant!.value)
    await sql('DELETE FROM settings')
  },
)

test('without a wish for it nothing is filled in (product 13.4)', async () => {
  await fillDemo(services, () => {})
  expect(await sql('SELECT * FROM members')).toEqual([])
  expect(await holdsDemoData(services.database)).toBe(false)
})

test('the same moment gives the same platform, another moment another one (product 13.4)', () => {
  const at = Date.parse('2026-11-20T15:00:00Z')
  expect(makePlatform(at)).toEqual(makePlatform(at))
  expect(makePlatform(at).lines).not.toEqual(makePlatform(at + 86_400_000).lines)
})

test('the demo has 247 waiting, no future dates and members on each recent day', () => {
  for (const moment of ['2026-11-20T15:00:00Z', '2027-01-03T00:00:30Z', '2028-02-29T23:59:59Z']) {
    const at = Date.parse(moment)
    const platform = makePlatform(at)
    const { people, attempts, lines } = platform
    expect(people.filter(({ stage }) => stage === 'waiting')).toHaveLength(247)
    const instants = [...JSON.stringify([lines, attempts]).matchAll(/"(?:createdAt|receivedAt|decidedAt)":"([^"]+)"/g)]
    expect(Math.max(...instants.map(([, instant]) => Date.parse(instant!)))).toBeLessThanOrEqual(at)
    expect(Math.max(...attempts.map(({ submittedAt }) => submittedAt))).toBeLessThan(at)
    const decisions = makeDecisions(platform, lines, at)
    expect(decisions).toEqual(makeDecisions(platform, lines, at))
    const days = decisions.bans.map((ban) => (at - Date.parse(ban.at)) / 86_400_000)
    expect([decisions.bans.length, Math.min(...days) > 0, Math.max(...days) > 60]).toEqual([18, true, true])
    for (let day = 0; day < 7; day++)
      expect(
        people.filter(({ createdAt }) => Math.floor((at - createdAt) / 86_400_000) === day).length,
      ).toBeGreaterThan(1)
    expect(new Set(people.map(({ email }) => email)).size).toBe(1200)
  }
})

test('two simultaneous first starts fill the demo once (product 13.4)', async () => {
  // Two consoles that start at once on one database: one fills, the other waits and then finds it filled.
  const heard: string[][] = [[], []]
  await Promise.all(heard.map((lines) => fillDemo(demo, (line) => lines.push(line))))
  const [waiting, said = []] = heard.toSorted((first, second) => first.length - second.length)
  expect(waiting).toEqual(['Another console fills the demo platform; this one waits for it'])
  expect(said.join('\n')).toContain('1,200 members')
  expect(said.join('\n')).not.toContain('refused')
  expect(await holdsDemoData(services.database)).toBe(true)
  expect(await one(`SELECT count(*)::int AS n FROM members`)).toEqual({ n: 1200 })
  expect(await one(`SELECT count(*)::int AS n FROM members WHERE kyc_status = 'under_review'`)).toEqual({ n: 247 })
  const rejected = await one(`SELECT count(*)::int AS n FROM members WHERE kyc_status = 'rejected'`)
  expect(rejected.n).toBe(64)
  expect(await one(`SELECT count(*)::int AS n FROM members WHERE kyc_status = 'pending'`)).toEqual({ n: 8 })
  expect(await one(`SELECT count(*)::int AS n FROM members WHERE banned`)).toEqual({ n: 18 })
  // Each at a moment of its own over the weeks, after all that the member did, and audited as of then.
  expect(
    await one(`
        SELECT count(DISTINCT date_trunc('minute', m.banned_at))::int AS moments,
          count(DISTINCT date_trunc('week', m.banned_at)) > 5 AS weeks,
          bool_and(m.banned_at = m.ban_changed_at AND m.banned_at = a.created_at) AS audited,
          bool_and(m.banned_at > greatest(m.created_at, m.kyc_decided_at) AND m.banned_at <= now()) AS later,
          bool_and(NOT EXISTS (SELECT FROM platform_transactions t WHERE t.member_id = m.id AND t.created_at > m.banned_at)
            AND NOT EXISTS (SELECT FROM orders o WHERE o.member_id = m.id
              AND greatest(o.created_at, o.paid_at, o.completed_at) > m.banned_at)
            AND NOT EXISTS (SELECT FROM chain_transactions c JOIN wallets w ON w.address = c.wallet_address
              WHERE w.member_id = m.id AND c.created_at > m.banned_at)) AS last
        FROM members m JOIN audit_log a ON a.action = 'ban_user' AND a.target_id = m.id WHERE m.banned`),
  ).toEqual({ moments: 18, weeks: true, audited: true, later: true, last: true })
  expect((await one(`SELECT count(*)::int AS n FROM members WHERE kyc_status = 'approved'`)).n).toBeGreaterThan(400)
  expect((await one('SELECT count(*)::int AS n FROM kyc_submissions WHERE attempt_number = 2')).n).toBeGreaterThan(20)
  expect((await one('SELECT count(*)::int AS n FROM platform_transactions')).n).toBe(2500)
  expect(
    (await one(`SELECT count(*)::int AS n FROM platform_transactions WHERE created_at > now() - interval '3 hours'`)).n,
  ).toBeGreaterThan(8)
  // What the KYC provider decided and said came in as its messages, for cases that had reached it.
  const figures = (await server.as('ada')('GET', '/api/kyc/analytics')).json()
  // Of the 46 that it decided, some rejections are reset since.
  expect([figures.underReview, figures.auto >= 38 && figures.auto <= 46]).toEqual([247, true])
  expect(
    await one(`
        SELECT count(*) FILTER (WHERE status = 'pending')::int AS opinions, count(*)::int AS scored,
          bool_and(r.state = 'applied' AND r.signed_at >= v.submitted_at AND r.created_at <= now()) AS taken,
          bool_and(status = 'pending' OR status = 'rejected' OR decided_at = r.created_at) AS dated
        FROM kyc_verifications v JOIN messages r
          ON r.direction = 'in' AND r.entity_id = v.member_id AND r.attempt_number = v.attempt_number
        WHERE kyc_score IS NOT NULL`),
  ).toEqual({ opinions: 34, scored: 80, taken: true, dated: true })
  expect(
    await one(`
        SELECT count(*) > 1000 AS many, bool_and(is_imported) AS imported,
          count(*) FILTER (WHERE created_at > now() - interval '1 day') > 8 AS today FROM chain_transactions`),
  ).toEqual({ many: true, imported: true, today: true })
  const orders = await sql('SELECT status, count(*)::int AS n FROM orders GROUP BY 1 ORDER BY 1')
  expect(orders.map(({ status, n }) => `${status} ${n}`)).toEqual([
    'cancelled 18',
    'completed 86',
    'expired 30',
    'paid 22',
    'waiting_payment 24',
  ])
  expect((await server.as('ada')('GET', '/api/notices')).json()).toMatchObject({
    notices: [
      { kind: 'critical_events', count: 1 },
      { kind: 'failed_submissions', count: 2 },
      { kind: 'expiring_orders', count: 7 },
      { kind: 'overdue_lines', count: 5 },
      { kind: 'refunds_due', count: 1 },
      { kind: 'statement_differences', count: 1 },
      { kind: 'statement_gaps', count: 1 },
    ],
  })
  expect(
    await one(`SELECT count(*)::int AS n FROM orders WHERE greatest(created_at, paid_at, completed_at) > now()`),
  ).toEqual({ n: 0 })
  // Some of what is paid was paid by the bank's money, each at a moment of its own.
  expect(
    await one(`SELECT count(*) FILTER (WHERE paid_via = 'bank') > 3 AS bank, bool_and(paid_at <= status_changed_at) AS dated,
      bool_and(received IN (0, investment_amount)) AS whole FROM orders WHERE status = 'paid'`),
  ).toEqual({ bank: true, dated: true, whole: true })
  expect(
    await one(`SELECT bool_and(p.made_at < now() - interval '3 days' AND a.created_at = p.made_at) AS earlier FROM bank_allocations p
      JOIN audit_log a ON a.target_type = 'bank_line' AND a.target_id = p.line_id::text`),
  ).toEqual({ earlier: true })
  // What operators decided when the orders waited tells how often the policy would have been right.
  const { policy } = (await server.as('ada')('GET', '/api/bank/policy')).json()
  expect(policy.confirmed.right).toBeGreaterThan(0)
  // A sum and its payments count once, and one statement does not add up.
  expect(
    await sql(`SELECT l.amount = (SELECT sum(i.amount) FROM bank_lines i WHERE i.entry_key = l.key) AS whole, l.state
      FROM bank_lines l WHERE l.covered_by IS NOT NULL`),
  ).toEqual([{ whole: true, state: 'info' }])
  expect(
    await sql(`SELECT a.currency, s.difference FROM bank_statements s JOIN bank_accounts a ON a.id = s.account_id
      WHERE s.difference <> 0`),
  ).toEqual([{ currency: 'GBP', difference: '18.00' }])
  const order = await sql('SELECT membership_id FROM members WHERE membership_id IS NOT NULL ORDER BY kyc_decided_at')
  expect(order).toEqual(order.toSorted((a, b) => String(a.membership_id).localeCompare(String(b.membership_id))))
})

test('what is to do at the bank has every outcome and flag (product 13.4)', async () => {
  await runJob(services, 'propose-matches')
  const found = await one(`SELECT array_agg(DISTINCT outcome) AS outcomes,
      (SELECT array_agg(DISTINCT flag) FROM bank_lines, unnest(flags) AS flag) AS flags
    FROM bank_lines WHERE state IN ('open', 'part')`)
  const ofWork = matchOutcomes.filter((outcome) => outcome !== 'pending')
  expect(found.outcomes).toEqual(ofWork.toSorted())
  expect(found.flags).toEqual([...matchFlags].toSorted())
})

test('a case that waits shows a readable specimen of its own, kept as JPEG', async () => {
  const [document] = await sql(`
    SELECT d.* FROM documents d JOIN members m ON m.kyc_front_document = d.key WHERE m.kyc_status = 'under_review' LIMIT 1`)
  expect(document).toMatchObject({ kind: 'front', width: 856, height: 540 })
  const bytes = await services.documents.read({ kind: 'picture', sha256: document!.stored_hash.toString('hex') })
  expect(await sharp(bytes!).metadata()).toMatchObject({ format: 'jpeg', width: 856 })
})

test('a fill that was cut short is completed at the next start', async () => {
  const { chain, ...whole } = await digest()
  await fillDemo(demo, () => expect.fail('a filled database was filled again'))
  await sql(`DELETE FROM settings WHERE name = 'demo_filled'`)
  // As if it had been begun with a chain: transfers come from there alone.
  await markLocalChain(services.database.db, new Date().toISOString())
  await sql('DELETE FROM chain_transactions')
  const said: string[] = []
  await fillDemo(demo, (line) => said.push(line))
  expect(said.join('\n')).not.toContain('refused')
  expect(said.at(-1)).toContain('done in')
  expect(await digest()).toEqual({ ...whole, chain: null })
  expect(await sql('SELECT label FROM treasury_wallets')).toEqual([{ label: 'Issuing wallet' }])
  expect(chain).not.toBeNull()
})
