import sharp from 'sharp'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import type { DocumentStore } from '#server/adapters/document-store.ts'
import { AppError } from '#server/lib/errors.ts'
import { eraseMember } from '#server/features/erasure/service.ts'
import { camtEntry, camtFile } from './support/bank-files.ts'
import { createBankCaller } from './support/bank.ts'
import { makeMember } from './support/make.ts'
import { platformBase } from './support/platform-calls.ts'
import { platformKey, startServer } from './support/server.ts'
import { createFileFixtures } from './support/stored-files.ts'

const server = await startServer()
const { documents } = server.services
const { upload, view, list } = createFileFixtures(server)
const bank = createBankCaller(server)
await bank.addAccount()

const put: DocumentStore['put'] = documents.put.bind(documents)
afterEach(() => void (documents.put = put))
const replacePut = (next: DocumentStore['put']) => (documents.put = next)

/** Deletes the next so many files as soon as they are stored. Returns how often files were stored. */
function deleteStored(times: number) {
  const puts = { count: 0 }
  replacePut(async (id, bytes) => {
    await put(id, bytes)
    if (puts.count++ < times) await documents.delete(id)
  })
  return puts
}

const statement = (text: string) => camtFile(camtEntry('1.00', 'CRDT', `<AddtlNtryInf>${text}</AddtlNtryInf>`))
// Sent at once: an answer that nobody waits for is not asked for.
const sendStatement = async (file: string, key: string) =>
  server.app.inject({
    method: 'POST',
    url: `${platformBase}/bank-statements?fileName=daily.xml`,
    payload: Buffer.from(file),
    headers: {
      authorization: `Bearer ${platformKey}`,
      'content-type': 'application/octet-stream',
      'idempotency-key': key,
    },
  })
const picture = (width: number) =>
  sharp({ create: { width, height: 20, channels: 3, background: '#2020c0' } })
    .png()
    .toBuffer()
const sendPicture = async (memberId: string, width: number) =>
  server.app.inject({
    method: 'PUT',
    url: `${platformBase}/members/${memberId}/documents/front`,
    payload: await picture(width),
    headers: { authorization: `Bearer ${platformKey}`, 'content-type': 'image/png' },
  })
const readImportedFile = (id: string) => server.as('ada')('GET', `/api/bank/imports/${id}/file`)

test('no transaction is open and no connection is held while the store takes its time', async () => {
  const { id } = await makeMember(server)
  const mayStore = Promise.withResolvers<void>()
  onTestFinished(() => mayStore.resolve())
  let waiting = 0
  replacePut(async (file, bytes) => {
    waiting++
    await mayStore.promise
    await put(file, bytes)
  })
  const replies = [sendStatement(statement('slow'), 'slow'), ...[40, 41, 42, 43].map((width) => sendPicture(id, width))]
  await expect.poll(() => waiting).toBe(5)
  const { pool } = server.services.database
  expect(pool.idleCount).toBe(pool.totalCount)
  const open = await server.sql(`SELECT query FROM pg_stat_activity WHERE xact_start IS NOT NULL
    AND datname = current_database() AND pid <> pg_backend_pid()`)
  expect(open).toEqual([])
  mayStore.resolve()
  expect((await Promise.all(replies)).map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200))
})

test('a picture that is deleted before its row is stored is stored again', async () => {
  const { id } = await makeMember(server)
  const puts = deleteStored(1)
  const documentPath = await upload(id)
  expect([puts.count, (await view(id, documentPath)).statusCode]).toEqual([2, 200])
})

test('a statement that is deleted before its row is stored is stored again', async () => {
  const puts = deleteStored(2)
  const file = statement('deleted')
  const { import: taken } = await bank.importFile(file)
  expect(puts.count).toBe(3)
  expect((await readImportedFile(taken.id!)).rawPayload.toString()).toBe(file)
})

test('a file that is deleted again and again is a 503 without a row', async () => {
  const { id } = await makeMember(server)
  const puts = deleteStored(Infinity)
  const replies = [await sendPicture(id, 60), await bank.send(statement('never'))]
  expect(replies.map((reply) => [reply.statusCode, reply.json().code, reply.headers['retry-after']])).toEqual(
    replies.map(() => [503, 'overloaded', '2']),
  )
  expect(puts.count).toBe(6)
  expect(await server.sql('SELECT FROM documents WHERE member_id = $1', [id])).toEqual([])
})

test('a picture of a member who is erased while it is stored is not kept', async () => {
  const { id } = await makeMember(server)
  const before = await list()
  replacePut(async (file, bytes) => {
    await put(file, bytes)
    await eraseMember(server.system, id)
  })
  expect((await sendPicture(id, 70)).statusCode).toBe(409)
  expect(await list()).toEqual(before)
})

test('a repeated import and a file that is known need no store', async () => {
  const file = statement('repeated')
  const first = await sendStatement(file, 'repeated')
  replacePut(() => Promise.reject(new AppError('store_unavailable', 'The store is away')))
  const again = await sendStatement(file, 'repeated')
  expect([again.statusCode, again.json()]).toEqual([200, first.json()])
  expect((await sendStatement(file, 'another')).json()).toMatchObject({ code: 'file_imported' })
  expect((await sendStatement(statement('new'), 'new')).json()).toMatchObject({ code: 'store_unavailable' })
})
