import { beforeAll, expect, test } from 'vitest'
import { maxReason } from '#contract/members.ts'
import { type Permission, type Role, roles } from '#contract/permissions.ts'
import { maxTemplates } from '#contract/reason-templates.ts'
import type { ReasonTemplate } from '#contract/schemas/reason-templates.ts'
import { startServer } from '#test/support/server.ts'

const ownRoles: Record<Role, readonly Permission[]> = { ...roles }
const server = await startServer({}, ownRoles)
const path = '/api/reason-templates'
const blurred = { name: 'Blurred', language: 'en', text: 'The photo is blurred. Please take another.', isShared: false }
const save = (body: object, name = 'rita') => server.as(name)('POST', path, { ...blurred, ...body })
const saved = async (body: object, name = 'rita') => {
  const reply = await save(body, name)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ template: ReasonTemplate }>().template
}
const change = (id: string, body: object, name = 'rita', version?: number) =>
  server.as(name)('PATCH', `${path}/${id}`, body, version ? { 'if-match': `"${version}"` } : {})
const remove = (id: string, name = 'rita') => server.as(name)('DELETE', `${path}/${id}`)
const find = async (id: string, name = 'rita') => {
  const reply = await server.as(name)('GET', path)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ templates: ReasonTemplate[] }>().templates.find((each) => each.id === id)
}
const actions = (id: string) =>
  server.sql<{ action: string; details: object }>(
    `SELECT action, details FROM audit_log WHERE target_type = 'template' AND target_id = $1 ORDER BY id`,
    [id],
  )

beforeAll(async () => {
  await server.addOperator('vera', 'viewer')
  await server.addOperator('rita', 'reviewer')
  await server.addOperator('ruth', 'reviewer')
})

test('an own template is the operator’s alone, each change with its audit row', async () => {
  const { id, version } = await saved({ name: ' Own ' })
  expect(await find(id)).toEqual({ ...blurred, id, name: 'Own', isOwn: true, owner: 'rita', version: 1 })
  expect(await find(id, 'ruth')).toBeUndefined()
  expect((await change(id, { name: 'Theirs' }, 'ruth')).statusCode).toBe(404)
  expect((await remove(id, 'ruth')).statusCode).toBe(404)
  expect((await change(id, { language: 'de', text: 'Das Foto ist unscharf. ' }, 'rita', version)).statusCode).toBe(200)
  expect(await find(id)).toMatchObject({ language: 'de', text: 'Das Foto ist unscharf.', name: 'Own', version: 2 })
  expect((await change(id, { language: 'de' })).json()).toMatchObject({ template: { version: 2 } })
  expect((await remove(id)).statusCode).toBe(200)
  expect(await find(id)).toBeUndefined()
  const before = { ...blurred, name: 'Own' }
  const after = { ...before, language: 'de', text: 'Das Foto ist unscharf.' }
  expect(await actions(id)).toEqual([
    { action: 'create_template', details: before },
    { action: 'change_template', details: { before, after } },
    { action: 'delete_template', details: after },
  ])
})

test('a shared template is changed by who may share, and the second of two is told', async () => {
  const { id, version } = await saved({ name: 'For all', isShared: true })
  expect(await find(id, 'ruth')).toMatchObject({ isOwn: false, isShared: true, owner: 'rita' })
  expect((await change(id, { text: 'Take a sharper photo.' }, 'ruth', version)).statusCode).toBe(200)
  const late = await change(id, { text: 'Use a scanner.' }, 'rita', version)
  expect([late.statusCode, late.json().code]).toEqual([409, 'stale'])
  expect((await find(id))?.text).toBe('Take a sharper photo.')
  expect((await change(id, { isShared: false }, 'ruth')).statusCode).toBe(200)
  expect(await find(id, 'ruth')).toBeUndefined()
  expect(await find(id)).toMatchObject({ isOwn: true, isShared: false })
})

test('templates are for who decides on KYC', async () => {
  for (const reply of [await server.as('vera')('GET', path), await save({}, 'vera')]) expect(reply.statusCode).toBe(403)
})

test('sharing needs the permission of shared views', async () => {
  const { id } = await saved({ name: 'Shared by ruth', isShared: true }, 'ruth')
  const own = await saved({ name: 'Kept' })
  ownRoles.reviewer = ['kyc.decide']
  const replies = [
    await save({ name: 'Another', isShared: true }),
    await change(own.id, { isShared: true }),
    await change(id, { text: 'X' }),
    await remove(id),
  ]
  for (const reply of replies) expect([reply.statusCode, reply.json().code]).toEqual([403, 'forbidden'])
  expect((await change(own.id, { text: 'Own text' })).statusCode).toBe(200)
  ownRoles.reviewer = roles.reviewer
})

test.each([
  { name: '' },
  { name: ' \u200B' },
  { name: 'x'.repeat(41) },
  { name: 'a\0' },
  { text: '' },
  { text: '\u2800' },
  { text: 'x'.repeat(maxReason + 1) },
  { text: '\uD800' },
  { language: '' },
  { language: 'deu' },
  { language: 'de-AT' },
  { language: 'xx' },
  { language: 'DE' },
  { isShared: 'yes' },
  { owner: 'ruth' },
])('%j is refused by the name of its field', async (body) => {
  const { statusCode, json } = await save(body)
  expect([statusCode, json().message]).toEqual([400, expect.stringContaining(Object.keys(body)[0]!)])
})

test('markup and characters that turn text around stay text', async () => {
  const text = '<b onclick="x()">\u202Egpj</b> שלום & {{name}}'
  const { id } = await saved({ name: '<i>\u202E', language: 'he', text })
  expect(await find(id)).toMatchObject({ name: '<i>\u202E', language: 'he', text })
})

test('a name is taken once a language, in any case of its letters', async () => {
  await saved({ name: 'Twice' })
  expect((await save({ name: 'TWICE ' })).json()).toMatchObject({ code: 'template_taken' })
  const { id } = await saved({ name: 'Twice', language: 'fr' })
  expect((await change(id, { language: 'en' })).json()).toMatchObject({ code: 'template_taken' })
  await saved({ name: 'Twice' }, 'ruth')
})

test('of simultaneous saves no more are kept than one may have', async () => {
  await server.addOperator('rosa', 'reviewer')
  const replies = await Promise.all(Array.from({ length: maxTemplates + 5 }, (_, n) => save({ name: `N${n}` }, 'rosa')))
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(maxTemplates)
  expect(replies.find(({ statusCode }) => statusCode !== 200)?.json()).toMatchObject({ code: 'templates_full' })
})
