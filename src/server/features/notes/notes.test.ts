import { expect, test } from 'vitest'
import type { Activity } from '#contract/schemas/activity.ts'
import type { Mention, Note } from '#contract/schemas/notes.ts'
import { permissions, type Permission } from '#contract/permissions.ts'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import type { SearchReply } from '#contract/schemas/search.ts'
import { eraseMember } from '#server/features/erasure/service.ts'
import { findMentioned } from './mentions.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { createAllocationCaller, createStoredLines } from '#test/support/stored-lines.ts'
import { startServer } from '#test/support/server.ts'
import { createTraceSearch } from '#test/support/trace-search.ts'

const roles: { super_admin: readonly Permission[] } = { super_admin: permissions }
const server = await startServer({}, roles)
const platform = createPlatformCaller(server)
const { findRows } = createTraceSearch(server)
const storedLines = await createStoredLines(server)
const [ada, bob] = [server.as('ada'), server.as('bob')]

const write = async (path: string, text: string, call = ada): Promise<Note> => {
  const reply = await call('POST', path, { text })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ note: Note }>().note
}
const readActivity = async (path: string, call = ada) =>
  (await call('GET', `${path}/activity?kind=notes`)).json<Activity>()
const listTexts = ({ entries }: Activity) => entries.map(({ note }) => note!.text)

test('a note is in the activity of its member, for everybody to read', async () => {
  const { id } = await makeMember(server)
  const note = await write(`/api/users/${id}/notes`, '  Called twice.  ')
  expect(note).toMatchObject({ text: 'Called twice.', author: 'ada', isOwn: true, order: null, editedAt: null })
  const { entries } = await readActivity(`/api/users/${id}`, bob)
  expect(entries).toMatchObject([
    { type: 'note', actor: 'ada', at: note.createdAt, note: { id: note.id, isOwn: false } },
  ])
})

test('a note on an order is in the activity of the order and of its member', async () => {
  const { id } = await makeMember(server)
  const order = await makeOrder(server, id)
  await write(`/api/users/${id}/notes`, 'On the member')
  await write(`/api/orders/${order.id}/notes`, 'On the order')
  expect(listTexts(await readActivity(`/api/orders/${order.id}`))).toEqual(['On the order'])
  const ofMember = await readActivity(`/api/users/${id}`)
  expect(listTexts(ofMember)).toEqual(['On the order', 'On the member'])
  expect(ofMember.entries[0]!.order).toEqual({ id: order.id, orderNumber: order.orderNumber })
})

test('only its author edits a note, and what it said before is kept', async () => {
  const { id } = await makeMember(server)
  const note = await write(`/api/users/${id}/notes`, 'First')
  const edit = (call: typeof ada, text: string, version = note.version) =>
    call('PATCH', `/api/notes/${note.id}`, { text }, { 'if-match': `"${version}"` })
  expect((await edit(bob, 'Other')).statusCode).toBe(403)
  expect((await edit(ada, 'Second')).json()).toMatchObject({ note: { text: 'Second', version: 2 } })
  expect((await edit(ada, 'Third')).json()).toMatchObject({ code: 'stale' })
  expect((await edit(ada, 'Second', 2)).json(), 'the same text changes nothing').toMatchObject({ note: { version: 2 } })
  const { versions } = (await bob('GET', `/api/notes/${note.id}/versions`)).json<{ versions: { text: string }[] }>()
  expect(versions).toMatchObject([{ text: 'Second' }, { text: 'First', writtenAt: note.createdAt }])
})

test('a pinned note stands above every page and kind of the activity', async () => {
  const { id } = await makeMember(server)
  const note = await write(`/api/users/${id}/notes`, 'Read this first')
  const pin = async (isPinned: boolean) =>
    (await bob('PATCH', `/api/notes/${note.id}/pin`, { isPinned })).json<{ message: string; note: Note }>()
  expect(await pin(true)).toMatchObject({ message: 'Note pinned', note: { pinnedBy: 'bob', version: 1 } })
  expect(await pin(true), 'twice is once').toMatchObject({ note: { pinnedBy: 'bob' } })
  const { pinned, entries } = (await ada('GET', `/api/users/${id}/activity?kind=orders`)).json<Activity>()
  expect({ pinned, entries }).toMatchObject({ pinned: [{ id: note.id, isOwn: true }], entries: [] })
  await pin(false)
  expect((await readActivity(`/api/users/${id}`)).pinned).toEqual([])
})

test('each change of a note is in the audit log, once', async () => {
  const { id } = await makeMember(server)
  const note = await write(`/api/users/${id}/notes`, 'First')
  await ada('PATCH', `/api/notes/${note.id}`, { text: 'Second' })
  await ada('PATCH', `/api/notes/${note.id}/pin`, { isPinned: true })
  const rows = await server.sql(
    `SELECT action, audit_details(id, details) AS details FROM audit_log WHERE target_type = 'user' AND target_id = $1 ORDER BY id`,
    [id],
  )
  expect(rows).toMatchObject([
    { action: 'write_note', details: { noteId: note.id, text: 'First' } },
    { action: 'edit_note', details: { before: { text: 'First' }, after: { text: 'Second' } } },
    { action: 'pin_note', details: { noteId: note.id } },
  ])
})

test('a note is found by its words, and leads to what it is on', async () => {
  const member = await makeMember(server, { legalFirstName: 'Nora', legalLastName: 'Quist' })
  const order = await makeOrder(server, member.id)
  await write(`/api/users/${member.id}/notes`, 'Zeppelin ticket, seen')
  await write(`/api/orders/${order.id}/notes`, 'Pays by zéppelin')
  const { notes } = (await bob('GET', '/api/search?q=zeppelin')).json<SearchReply>()
  expect(notes).toMatchObject([
    { text: 'Pays by zéppelin', order: { id: order.id, orderNumber: order.orderNumber } },
    { text: 'Zeppelin ticket, seen', order: null, userId: member.id, userName: 'Nora Quist', author: 'ada' },
  ])
  roles.super_admin = permissions.filter((each) => each !== 'orders.view')
  expect((await bob('GET', '/api/search?q=zeppelin')).json<SearchReply>().notes).toHaveLength(1)
  roles.super_admin = permissions.filter((each) => each !== 'notes.view')
  expect((await bob('GET', '/api/search?q=zeppelin')).json<SearchReply>().notes).toEqual([])
  roles.super_admin = permissions
})

test('notes are exported with their member, all of them or those of one', async () => {
  const [one, other] = [await makeMember(server), await makeMember(server)]
  const order = await makeOrder(server, one.id)
  await write(`/api/users/${one.id}/notes`, 'On the member')
  await write(`/api/orders/${order.id}/notes`, 'On the order')
  await write(`/api/users/${other.id}/notes`, 'On another')
  const lines = async (query: string) =>
    (await ada('GET', `/api/exports/notes${query}`)).body.trim().split('\r\n').slice(1)
  expect(await lines(`?userId=${one.id}`)).toEqual([
    expect.stringMatching(new RegExp(`,ada,${one.id},.*,${order.orderNumber},On the order,`)),
    expect.stringContaining('On the member'),
  ])
  expect(await lines(`?orderId=${order.id}`)).toHaveLength(1)
  expect((await lines('')).length).toBeGreaterThanOrEqual(3)
})

test('the platform gets no note, and no event of one', async () => {
  const { id } = await makeMember(server)
  const order = await makeOrder(server, id)
  const before = await server.sql('SELECT count(*) FROM messages')
  await write(`/api/orders/${order.id}/notes`, 'Between us')
  expect((await platform('GET', `/orders/${order.orderNumber}`)).body).not.toContain('Between us')
  expect((await platform('GET', `/members/${id}`)).body).not.toContain('Between us')
  expect(await server.sql('SELECT count(*) FROM messages')).toEqual(before)
})

test('an erased member has no notes left, nor earlier texts, and gets no new one', async () => {
  const { id } = await makeMember(server)
  const order = await makeOrder(server, id, { status: 'cancelled' })
  const note = await write(`/api/users/${id}/notes`, 'Lives with Wilhelmina Quartz')
  await ada('PATCH', `/api/notes/${note.id}`, { text: 'Lives alone, said Wilhelmina Quartz' })
  await write(`/api/orders/${order.id}/notes`, 'For Wilhelmina Quartz')
  await eraseMember(server.system, id)
  expect(await findRows(['Wilhelmina Quartz'])).toEqual([])
  expect((await ada('POST', `/api/users/${id}/notes`, { text: 'Again' })).json()).toMatchObject({
    code: 'member_erased',
  })
})

/** A line of 120.00 EUR, and an order of 120.00 EUR. */
async function makeLineAndOrder() {
  const { id: memberId } = await makeMember(server)
  const { id: orderId } = await makeOrder(server, memberId, { investmentAmount: '120.00' })
  const { id: lineId } = await storedLines.makeLine({ amount: '120.00', place: `line of ${orderId}` })
  return { memberId, orderId, lineId }
}

test('a note on a bank line is read with it, found, exported, and told to who is named', async () => {
  const { lineId } = await makeLineAndOrder()
  const note = await write(`/api/bank/lines/${lineId}/notes`, 'Called the bank, @bob: quixotic payer')
  expect(note).toMatchObject({ userId: null, bankLineId: lineId, order: null, isOwn: true })
  const readNotes = async (call = bob) =>
    (await call('GET', `/api/bank/lines/${lineId}`))
      .json<BankLineDetail>()
      .notes.map(({ text, pinnedBy }) => [text, pinnedBy])
  await write(`/api/bank/lines/${lineId}/notes`, 'Nothing more')
  await bob('PATCH', `/api/notes/${note.id}/pin`, { isPinned: true })
  await ada('PATCH', `/api/notes/${note.id}`, { text: 'Called the bank: quixotic payer' })
  expect(await readNotes()).toEqual([
    ['Called the bank: quixotic payer', 'bob'],
    ['Nothing more', null],
  ])
  const { notes } = (await bob('GET', '/api/search?q=quixotic')).json<SearchReply>()
  expect(notes).toMatchObject([{ bankLineId: lineId, userId: null, userName: null }])
  const { versions } = (await bob('GET', `/api/notes/${note.id}/versions`)).json<{ versions: unknown[] }>()
  expect(versions).toHaveLength(2)
  const sheet = (await ada('GET', `/api/exports/notes?bankLineId=${lineId}`)).body
  expect(sheet.trim().split('\r\n')).toHaveLength(3)
  expect(sheet).toContain(`,${lineId},`)
  roles.super_admin = permissions.filter((each) => each !== 'bank.view')
  expect((await bob('GET', '/api/search?q=quixotic')).json<SearchReply>().notes).toEqual([])
  expect((await bob('GET', `/api/notes/${note.id}/versions`)).statusCode).toBe(404)
  roles.super_admin = permissions.filter((each) => each !== 'notes.view')
  expect(await readNotes()).toEqual([])
  roles.super_admin = permissions
})

test('an erasure takes notes on lines that paid the member, or that name the member', async () => {
  const [paid, other] = [await makeLineAndOrder(), await makeLineAndOrder()]
  const { memberId } = paid
  await write(`/api/bank/lines/${paid.lineId}/notes`, 'Asked for a receipt')
  await write(`/api/bank/lines/${other.lineId}/notes`, 'Perhaps of Wilhelmina Quartz')
  await write(`/api/bank/lines/${other.lineId}/notes`, 'Stays')
  await createAllocationCaller(server, 'ada').apply(paid.lineId, [
    { purpose: 'order', orderId: paid.orderId, amount: '120.00' },
  ])
  await server.sql(`UPDATE orders SET status = 'completed', completed_at = now() WHERE id = $1`, [paid.orderId])
  await server.sql(`UPDATE members SET legal_first_name = 'Wilhelmina', legal_last_name = 'Quartz' WHERE id = $1`, [
    memberId,
  ])
  await eraseMember(server.system, memberId)
  const left = await server.sql('SELECT text FROM notes WHERE bank_line_id = ANY($1::bigint[])', [
    [paid.lineId, other.lineId],
  ])
  expect(left).toEqual([{ text: 'Stays' }])
})

const listMentions = async (call = bob) =>
  (await call('GET', '/api/notices')).json<{ mentions: Mention[] }>().mentions.map(({ id, text }) => ({ id, text }))

test('a note tells the operators whom it names, until they have seen it', async () => {
  const { id } = await makeMember(server)
  const order = await makeOrder(server, id)
  const note = await write(`/api/users/${id}/notes`, '@bob, is this the same person? @ada asks')
  await write(`/api/users/${id}/notes`, 'And @Bob: call back')
  const onOrder = await write(`/api/orders/${order.id}/notes`, 'Paid twice? (@bob)')
  expect((await listMentions()).map(({ text }) => text)).toEqual([
    'Paid twice? (@bob)',
    'And @Bob: call back',
    '@bob, is this the same person? @ada asks',
  ])
  expect(await listMentions(ada), 'nobody is told of an own note').toEqual([])
  expect((await ada('POST', `/api/notes/${note.id}/see`)).statusCode).toBe(404)
  expect((await bob('POST', `/api/notes/${note.id}/see`)).statusCode).toBe(204)
  expect(await listMentions(), 'those on the member go together').toEqual([{ id: onOrder.id, text: onOrder.text }])
  roles.super_admin = permissions.filter((each) => each !== 'orders.view')
  expect(await listMentions()).toEqual([])
  roles.super_admin = permissions
  expect((await bob('POST', `/api/notes/${onOrder.id}/see`)).statusCode).toBe(204)
  expect((await bob('POST', `/api/notes/${onOrder.id}/see`)).statusCode, 'twice is once').toBe(204)
})

test('an edit tells whom it names now, and no longer whom it does not', async () => {
  const { id } = await makeMember(server)
  const note = await write(`/api/users/${id}/notes`, 'For the file')
  const edit = (text: string) => ada('PATCH', `/api/notes/${note.id}`, { text })
  await edit('For @bob')
  expect(await listMentions()).toEqual([{ id: note.id, text: 'For @bob' }])
  await edit('For the file')
  expect(await listMentions()).toEqual([])
  await edit('For @bob')
  await bob('POST', `/api/notes/${note.id}/see`)
  await edit('For @bob, as I said')
  expect(await listMentions(), 'what was seen is not told twice').toEqual([])
})

test.each([
  ['ask @ada', ['ada']],
  ['@ADA.', ['ada']],
  ['@ada.smith and @ada', ['ada.smith', 'ada']],
  ['@Zoë Ångström, look', ['zoë ångström']],
  ['mail me: x@ada', []],
  ['@adam @ada_2 @', []],
  ['ada', []],
])('“%s” names %j', (text, expected) => {
  expect(findMentioned(text, ['ada', 'ada.smith', 'zoë ångström'])).toEqual(expected)
})

test.each([
  ['POST', '/api/users/nobody/notes', { text: 'x' }, 404],
  ['POST', '/api/orders/x/notes', { text: 'x' }, 404],
  ['POST', '/api/users/m-1/notes', { text: '   ' }, 400],
  ['POST', '/api/users/m-1/notes', { text: 'x'.repeat(4001) }, 400],
  ['POST', '/api/users/m-1/notes', {}, 400],
  ['PATCH', '/api/notes/999999', { text: 'x' }, 404],
  ['PATCH', '/api/notes/999999/pin', { isPinned: true }, 404],
  ['GET', '/api/notes/999999/versions', undefined, 404],
] as const)('%s %s with %j is refused with %i', async (method, path, body, status) => {
  expect((await ada(method, path, body)).statusCode).toBe(status)
})
