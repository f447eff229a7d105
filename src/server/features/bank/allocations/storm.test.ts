import { expect, test } from 'vitest'
import { refundRows } from '#server/features/bank/shared/refunds-due.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { camtEntry, camtFile } from '#test/support/bank-files.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

/** How many calls are made together. STORM_RUNS=2000 is the long run. */
const callCount = Number(process.env.STORM_RUNS ?? 240)
const clients = 8
const seed = Number(process.env.STORM_SEED ?? 7)

const server = await startServer()
const platform = createPlatformCaller(server)
const { makeLine } = await createStoredLines(server)
const { apply } = createAllocationCaller(server)
const ana = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const rui = await makeMember(server, { legalFirstName: 'Rui', legalLastName: 'Costa' })

/** A number from 0 to 1, the same ones for the same seed. */
function* numbers(start: number): Generator<number, never> {
  for (let state = start; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

const soon = new Date(Date.now() + 2000).toISOString()
const orders = await Promise.all(
  Array.from({ length: 40 }, (_, n) =>
    makeOrder(server, n % 2 ? ana.id : rui.id, {
      // Of eight digits, which no text has by chance.
      orderNumber: `ORD-${70_000_000 + n * 38_197}`,
      investmentAmount: `${100 * (1 + (n % 3))}.00`,
      ...(n % 10 === 0 && { expiresAt: soon }),
    }),
  ),
)
const payer = { payerName: 'ANA LIMA', payerAccount: 'PT50000201231234567890154' }
const credits = await Promise.all(
  Array.from({ length: 60 }, (_, n) => makeLine({ amount: `${100 * (1 + (n % 3))}.00`, ...(n % 2 && payer) })),
)
const debits = await Promise.all(
  Array.from({ length: 20 }, () => makeLine({ amount: '100.00', direction: 'debit', isReversal: true })),
)

/** Payments that name an order of their payer's, and are just what it asks for. */
const exacts = await Promise.all(
  orders
    .filter(({ memberId }) => memberId === ana.id)
    .map(({ orderNumber, investmentAmount: amount }) =>
      makeLine({ amount, ...payer, remittance: [orderNumber], proposedOrders: [orderNumber] }),
    ),
)

/** Refunds for orders that went out, and money of other banks that returns some of them, in whole or less a charge. */
const sent = await Promise.all(Array.from({ length: 8 }, () => makeLine({ amount: '100.00', direction: 'debit' })))
const backs = await Promise.all(
  Array.from({ length: 8 }, (_, n) => makeLine({ amount: n % 2 ? '100.00' : '92.00', isReversal: true })),
)
for (const [n, { id }] of sent.entries()) {
  const credit = await makeLine()
  const refund = { purpose: 'refund', amount: '100.00', cause: 'duplicate', orderId: orders[n]!.id }
  await apply(credit.id, [refund])
  await apply(id, [{ purpose: 'refund', lineId: credit.id, amount: '100.00' }])
  credits.push(credit)
}

const policy = { autoCombined: false, autoRemainder: false, payerName: 'same', feeTolerance: '35.00', graceDays: 1 }
const more = { overpaidUpTo: '0.00', reasonForThirdParty: true, maxAutoAmount: null }
const saved = await server.as('ada')('PUT', '/api/bank/policy', { ...policy, ...more, autoApply: true })
expect(saved.statusCode, saved.body).toBe(200)

type Call = () => Promise<{ statusCode: number; body: string } | void>

/** What one operator may do next, by chance. */
function chooseCall(ask: ReturnType<typeof server.as>, next: () => number): Call {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!
  const give = (line: { id: string }, allocations: object[]) => () =>
    ask('POST', `/api/bank/lines/${line.id}/allocations`, { allocations, reason: 'Looked at' })
  const one = pick(orders)
  const other = pick(orders.filter(({ id }) => id !== one.id))
  const credit = pick(credits)
  const chance = next()
  if (chance < 0.06) return () => applyExactly(ask, [pick(exacts).id, pick(exacts).id, pick(exacts).id])
  if (chance < 0.09) return () => importFile(ask)
  if (chance < 0.11) return () => undoImport(ask, next())
  if (chance < 0.14) return () => payFromImport(ask, one, next())
  if (chance < 0.4) return give(credit, [payOrder(one, pick(['50.00', '100.00', '200.00', '300.00']))])
  if (chance < 0.5) return give(credit, [payOrder(one, '50.00'), payOrder(other, '100.00')])
  if (chance < 0.55) return give(credit, [{ purpose: 'refund', amount: '50.00', cause: 'duplicate', orderId: one.id }])
  if (chance < 0.58) return give(credit, [{ purpose: 'ignored', amount: '33.33', code: 'other_business' }])
  if (chance < 0.66) return give(pick(debits), [{ purpose: 'reversal', lineId: credit.id, amount: '50.00' }])
  if (chance < 0.7) return give(pick(debits), [{ purpose: 'refund', lineId: credit.id, amount: '25.00' }])
  if (chance < 0.76) {
    const back = pick(backs)
    return give(back, [{ purpose: 'return', lineId: pick(sent).id, amount: back.amount }])
  }
  if (chance < 0.88) return () => undoAny(ask, next())
  if (chance < 0.92) return () => ask('PATCH', `/api/orders/${one.id}/status`, { status: 'paid' })
  if (chance < 0.95) return () => platform('POST', `/orders/${one.orderNumber}/complete`)
  if (chance < 0.97) return () => ask('PATCH', `/api/orders/${one.id}/status`, { status: 'cancelled', notes: 'x' })
  return () => runJob(server.services, 'expire-orders')
}

async function undoAny(ask: ReturnType<typeof server.as>, chance: number) {
  const allocations = await server.sql<{ id: string }>(
    'SELECT id::text FROM bank_allocations WHERE undone_at IS NULL ORDER BY id',
  )
  const allocation = allocations[Math.floor(chance * allocations.length)]
  return allocation && ask('POST', `/api/bank/allocations/${allocation.id}/undo`, { reason: 'By mistake' })
}

type Ask = ReturnType<typeof server.as>

async function applyExactly(ask: Ask, ids: string[]) {
  const lines = await server.sql('SELECT id::text, version FROM bank_lines WHERE id = ANY($1::bigint[])', [ids])
  return ask('POST', '/api/bank/apply-exact', { lines })
}

let files = 0
/** A statement of two payments. */
function importFile(ask: Ask) {
  files += 1
  const entries = ['100.00', `${files}.07`].map((amount) =>
    camtEntry(amount, 'CRDT', `<NtryDtls><TxDtls><RmtInf><Ustrd>storm ${files}</Ustrd></RmtInf></TxDtls></NtryDtls>`),
  )
  const file = camtFile(entries.join('')).replace('<Id>1</Id>', `<Id>storm ${files}</Id>`)
  const headers = { 'content-type': 'application/octet-stream' }
  return ask('POST', `/api/bank/imports?fileName=storm-${files}.xml`, Buffer.from(file), headers)
}

async function undoImport(ask: Ask, chance: number) {
  const imports = await server.sql<{ id: string }>(
    `SELECT id::text FROM bank_imports WHERE undone_at IS NULL AND file_name LIKE 'storm%' ORDER BY id`,
  )
  const chosen = imports[Math.floor(chance * imports.length)]
  return chosen && ask('POST', `/api/bank/imports/${chosen.id}/undo`, { reason: 'By mistake' })
}

/** Its import may be undone meanwhile, so that it is not found. */
async function payFromImport(ask: Ask, order: { id: string }, chance: number) {
  const lines = await server.sql<{
    id: string
  }>(`SELECT l.id::text FROM bank_lines l JOIN bank_statements s ON s.id = l.statement_id
    JOIN bank_imports i ON i.id = s.import_id WHERE i.file_name LIKE 'storm%' ORDER BY l.id`)
  const line = lines[Math.floor(chance * lines.length)]
  if (!line) return
  const allocations = [payOrder(order, '50.00')]
  const reply = await ask('POST', `/api/bank/lines/${line.id}/allocations`, { allocations, reason: 'Looked at' })
  return reply.statusCode === 404 ? undefined : reply
}

const active = 'undone_at IS NULL'
const lastStatus = `(SELECT payload ->> 'status' FROM platform_events e WHERE e.entity_id = o.order_number
  AND type IN ('order.paid', 'order.payment_reversed', 'order.expired', 'order.cancelled') ORDER BY id DESC LIMIT 1)`
const lastReceived = `(SELECT coalesce(payload ->> 'received', payload -> 'payment' ->> 'amount')::numeric FROM platform_events e
  WHERE e.entity_id = o.order_number AND type IN ('order.paid', 'order.payment_received', 'order.payment_reversed') ORDER BY id DESC LIMIT 1)`
const toldDue = `(SELECT coalesce((payload ->> 'outstanding')::numeric, 0) FROM platform_events e
  WHERE e.payload ->> 'refundId' = p.id::text ORDER BY e.id DESC LIMIT 1)`
const sumOf = (of: string) => `(SELECT coalesce(sum(amount), 0) FROM bank_allocations p WHERE ${of} AND p.${active})`

/** What must never be true, whatever was done (product 7.10). */
const faults: Record<string, string> = {
  'lines whose parts are not what is allocated': `bank_lines l WHERE allocated <> ${sumOf('p.line_id = l.id')}`,
  'lines with more than their amount': 'bank_lines WHERE allocated > amount OR allocated < 0',
  'orders whose parts are not what is received': `orders o WHERE received <> ${sumOf(`p.order_id = o.id AND p.purpose = 'order'`)}`,
  'orders with more than they ask for': 'orders WHERE received > investment_amount OR received < 0',
  'paid by the bank and not covered': `orders WHERE paid_via = 'bank' AND received <> investment_amount AND status <> 'completed'`,
  'completed, not covered, and nothing taken back': `orders o WHERE status = 'completed' AND paid_via = 'bank' AND received <> investment_amount
    AND NOT EXISTS (SELECT FROM bank_allocations p WHERE p.order_id = o.id AND p.undone_with IS NOT NULL AND p.undone_at >= o.completed_at)`,
  'covered and not paid': `orders WHERE received = investment_amount AND status NOT IN ('paid', 'completed')`,
  'paid and nobody knows how': `orders WHERE (status IN ('paid', 'completed')) <> (paid_via IS NOT NULL)`,
  'cancelled with money on it': `orders WHERE status = 'cancelled' AND received > 0`,
  'lines in the wrong state': `bank_lines WHERE state <> CASE WHEN allocated = 0 THEN 'open' WHEN allocated = amount THEN 'settled' ELSE 'part' END`,
  'orders whose last event tells another status': `orders o WHERE coalesce(${lastStatus}, 'waiting_payment')
    <> CASE WHEN status = 'completed' AND ${lastStatus} = 'paid' THEN 'paid' ELSE status END`,
  'completed orders whose last event tells another amount': `orders o WHERE status = 'completed' AND paid_via = 'bank'
    AND ${lastReceived} <> received`,
  'events out of sequence': `(SELECT sequence, row_number() OVER (PARTITION BY entity_id ORDER BY id) AS n FROM platform_events) e
    WHERE sequence <> n`,
  'reversals without their other side': `bank_allocations p WHERE purpose = 'reversal' AND ${active} AND NOT EXISTS (SELECT FROM bank_allocations t
    WHERE t.line_id = p.other_line_id AND t.other_line_id = p.line_id AND t.amount = p.amount AND t.purpose = 'reversal' AND t.${active})`,
  'returns without their other side': `bank_allocations p WHERE purpose = 'return' AND ${active} AND NOT EXISTS (SELECT FROM bank_allocations t
    WHERE t.line_id = p.other_line_id AND t.other_line_id = p.line_id AND t.amount = p.amount AND t.purpose = 'return' AND t.${active})`,
  'refunds whose last event tells another amount': `bank_allocations p WHERE purpose = 'refund' AND direction = 'credit' AND order_id IS NOT NULL
    AND coalesce(${toldDue}, -1) <> coalesce((SELECT due FROM (${refundRows}) f WHERE f.id = p.id), 0)`,
  'more paid back than is due': `bank_lines l WHERE ${sumOf(`p.other_line_id = l.id AND p.purpose = 'refund'`)}
    > ${sumOf(`p.line_id = l.id AND p.purpose = 'refund' AND p.direction = 'credit'`)}`,
  'lines that say another sum is due than has not gone out': `bank_lines l WHERE refund_due <>
    ${sumOf(`p.line_id = l.id AND p.purpose = 'refund' AND p.direction = 'credit'`)}
    - ${sumOf(`p.other_line_id = l.id AND p.purpose = 'refund' AND p.direction = 'debit'`)}`,
  'exact payments that are not the whole line and order': `bank_allocations p JOIN bank_lines l ON l.id = p.line_id JOIN orders o ON o.id = p.order_id
    WHERE p.rule = 'exact' AND (p.purpose <> 'order' OR p.amount <> l.amount OR p.amount <> o.investment_amount OR p.is_third_party)`,
  'statements of imports that were undone': `bank_statements s JOIN bank_imports i ON i.id = s.import_id WHERE i.undone_at IS NOT NULL`,
  'imports that do not have the lines that they brought': `bank_imports i WHERE i.${active} AND file_name LIKE 'storm%' AND lines_new <>
    (SELECT count(*) FROM bank_lines l JOIN bank_statements s ON s.id = l.statement_id WHERE s.import_id = i.id)`,
  'statements whose sum is not that of their lines': `bank_statements s JOIN bank_imports i ON i.id = s.import_id WHERE file_name LIKE 'storm%'
    AND credits <> (SELECT coalesce(sum(l.amount), 0) FROM bank_statement_lines m JOIN bank_lines l ON l.id = m.line_id WHERE m.statement_id = s.id)`,
  'accounts confirmed by no payment': `payer_accounts a WHERE NOT EXISTS (SELECT FROM bank_allocations p JOIN orders o ON o.id = p.order_id
    WHERE p.line_id = a.line_id AND o.member_id = a.member_id AND p.${active} AND NOT p.is_third_party)`,
  'payments that confirm no account': `bank_allocations p JOIN orders o ON o.id = p.order_id JOIN bank_lines l ON l.id = p.line_id
    WHERE p.purpose = 'order' AND p.${active} AND NOT p.is_third_party AND l.payer_account IS NOT NULL
    AND NOT EXISTS (SELECT FROM payer_accounts a WHERE a.account = l.payer_account AND a.member_id = o.member_id)`,
}

async function findFaults(): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const [name, of] of Object.entries(faults)) {
    const [row] = await server.sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${of}`)
    if (row!.count > 0) found[name] = row!.count
  }
  return found
}

test(
  'whatever eight operators do at once, lines, orders and events agree (product 7.10)',
  async () => {
    const codes = new Map<number, number>()
    const work = async (client: number) => {
      const random = numbers(seed * 1000 + client)
      const ask = server.as(`operator-${client}`)
      for (let made = 0; made < callCount / clients; made++) {
        const reply = await chooseCall(ask, () => random.next().value)()
        if (!reply) continue
        expect([200, 409], reply.body).toContain(reply.statusCode)
        codes.set(reply.statusCode, (codes.get(reply.statusCode) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
    const [done] = await server.sql(`SELECT (SELECT count(*) FROM bank_allocations WHERE rule = 'exact')::int AS exact,
      count(*)::int AS imported, count(undone_at)::int AS undone FROM bank_imports WHERE file_name LIKE 'storm%'`)
    if (process.env.STORM_RUNS) console.log(Object.fromEntries(codes), done)
    expect(done!.exact).toBeGreaterThan(0)
    expect(done!.undone).toBeGreaterThan(0)
    expect(codes.get(200)).toBeGreaterThan(callCount / 8)
    expect(await findFaults()).toEqual({})
    const deadlocks = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()'
    expect(await server.sql(deadlocks)).toEqual([{ deadlocks: 0 }])
  },
  callCount * 500,
)

test('the outcome of the money that came in adds up to what came in (product 6.11)', async () => {
  const { accounts } = (await server.as('ada')('GET', '/api/bank/accounts')).json()
  const sums = Object.values<string>(accounts[0].credits).map(toUnits)
  expect(fromUnits(sums.reduce((sum, each) => sum + each, 0n))).toBe(accounts[0].booked.credits)
})

test('undoing all that can be undone leaves nothing applied (product 7.10)', async () => {
  const ada = server.as('ada')
  for (;;) {
    const allocations = await server.sql<{ id: string }>(
      `SELECT p.id::text FROM bank_allocations p LEFT JOIN orders o ON o.id = p.order_id WHERE p.${active}
       AND (p.purpose <> 'order' OR o.status <> 'completed' OR o.paid_via <> 'bank')
       ORDER BY p.direction DESC, p.id DESC LIMIT 1`,
    )
    if (!allocations[0]) break
    const reply = await ada('POST', `/api/bank/allocations/${allocations[0].id}/undo`, { reason: 'From the start' })
    expect(reply.statusCode, reply.body).toBe(200)
  }
  expect(await findFaults()).toEqual({})
  const left = `SELECT count(*)::int AS count FROM bank_lines WHERE allocated > 0 AND id NOT IN (
    SELECT line_id FROM bank_allocations p JOIN orders o ON o.id = p.order_id WHERE p.${active} AND o.status = 'completed')`
  expect(await server.sql(left)).toEqual([{ count: 0 }])
})
