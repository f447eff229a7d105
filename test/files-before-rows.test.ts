import sharp from 'sharp'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { DocumentStore } from '#server/adapters/document-store.ts'
import { AppError } from '#server/lib/errors.ts'
import { takeLease } from '#server/db/lease.ts'
import { deleteDocuments } from '#server/features/documents/service.ts'
import { eraseMember } from '#server/features/erasure/service.ts'
import { camtEntry, camtFile } from './support/bank-files.ts'
import { createBankCaller } from './support/bank.ts'
import { runJob } from './support/jobs.ts'
import { endLeases } from './support/leases.ts'
import { makeMember } from './support/make.ts'
import { platformBase } from './support/platform-calls.ts'
import { platformKey, startServer } from './support/server.ts'
import { createFileFixtures } from './support/stored-files.ts'

const server = await startServer()
const { documents } = server.services
const fixtures = createFileFixtures(server)
const { upload, view, list } = fixtures
const bank = createBankCaller(server)
await bank.addAccount()

const put: DocumentStore['put'] = documents.put.bind(documents)
const { files } = documents
const deleteNow: typeof files.delete = files.delete.bind(files)
afterEach(() => {
  documents.put = put
  files.delete = deleteNow
})
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
const readDigest = async (memberId: string) => {
  const sql = `SELECT encode(stored_hash, 'hex') AS sha256 FROM documents WHERE member_id = $1`
  return (await server.sql<{ sha256: string }>(sql, [memberId]))[0]!.sha256
}
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

/** The next deletions are begun and not done. `end` does them, and answers those that still wait if `isAnswered`. */
function holdDeletions(isAnswered: boolean) {
  const mayEnd = Promise.withResolvers<void>()
  onTestFinished(() => mayEnd.resolve())
  const held: string[] = []
  files.delete = async (name) => {
    held.push(name)
    if (!isAnswered) throw new AppError('store_unavailable', 'The store does not answer')
    await mayEnd.promise
    await deleteNow(name)
  }
  return {
    held,
    async end() {
      files.delete = deleteNow
      await Promise.all(held.map(deleteNow))
      mayEnd.resolve()
    },
  }
}

/** As PostgreSQL does where a store takes too long. Its locks are gone then. */
async function endIdleTransaction() {
  const ended = await server.sql(`SELECT pg_terminate_backend(pid, 5000) AS done FROM pg_stat_activity
    WHERE state = 'idle in transaction' AND datname = current_database()`)
  expect(ended).toEqual([{ done: true }])
}

test('no import trusts in a file that a deletion without an answer may still take', async () => {
  const account = 'GB82WEST12345698765432'
  const file = camtFile(camtEntry('1.00', 'CRDT'), { iban: account })
  const deletions = holdDeletions(false)
  expect((await bank.send(file)).statusCode).toBe(400)
  await bank.addAccount({ account, name: 'Other' })
  expect((await bank.send(file)).json()).toMatchObject({ code: 'overloaded' })
  await deletions.end()
  expect((await bank.send(file)).json()).toMatchObject({ code: 'overloaded' })
  await endLeases(server)
  const { import: taken } = await bank.importFile(file)
  expect((await readImportedFile(taken.id!)).rawPayload.toString()).toBe(file)
})

/** A member is erased whose picture another one uploads. */
async function eraseWithHeldDeletions(width: number) {
  const [{ id: erased }, { id }] = [await makeMember(server), await makeMember(server)]
  expect((await sendPicture(erased, width)).statusCode).toBe(200)
  const deletions = holdDeletions(true)
  const erasure = eraseMember(server.system, erased).then(
    () => 'done',
    () => 'failed',
  )
  // The names of both kinds, and of a file from before.
  await expect.poll(() => deletions.held).toHaveLength(3)
  return { id, deletions, erasure, send: () => sendPicture(id, width) }
}

test('no upload trusts in a file whose deletion goes on after its lock is gone', async () => {
  const { id, deletions, erasure, send } = await eraseWithHeldDeletions(80)
  await endIdleTransaction()
  expect((await send()).json()).toMatchObject({ code: 'overloaded' })
  await deletions.end()
  expect(await erasure).toBe('failed')
  await endLeases(server)
  const reply = await send()
  expect([reply.statusCode, (await view(id, reply.json().documentPath)).statusCode]).toEqual([200, 200])
})

test('an upload that waits for a deletion is stored once that is done', async () => {
  const { id, deletions, erasure, send } = await eraseWithHeldDeletions(81)
  const sent = send()
  await expect
    .poll(() => server.sql(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`))
    .toHaveLength(1)
  await deletions.end()
  expect([await erasure, (await sent).statusCode]).toEqual(['done', 200])
  expect((await view(id, (await sent).json().documentPath)).statusCode).toBe(200)
})

test('pictures of an erased member that could not be deleted are deleted later', async () => {
  const { id } = await makeMember(server)
  const before = await list()
  await upload(id)
  await upload(id)
  holdDeletions(false)
  await expect(eraseMember(server.system, id)).rejects.toMatchObject({ code: 'store_unavailable' })
  files.delete = deleteNow
  await runJob(server.services, 'keep-files')
  expect(await list(), 'an earlier deletion may still be under way').toHaveLength(before.length + 1)
  await endLeases(server)
  await runJob(server.services, 'keep-files')
  expect(await list()).toEqual(before)
  expect(await server.sql(`SELECT FROM leases WHERE name LIKE 'stored-file:%'`)).toEqual([])
})

test('pictures whose rows are gone are deleted though the console ended before that', async () => {
  const { id } = await makeMember(server)
  const before = await list()
  await upload(id)
  await server.services.database.transaction((tx) => deleteDocuments(tx, id))
  await server.sql(`UPDATE leases SET held_until = now() - interval '9 days' WHERE name LIKE 'stored-file:%'`)
  await runJob(server.services, 'delete-expired')
  expect(await list()).not.toEqual(before)
  await runJob(server.services, 'keep-files')
  expect(await list()).toEqual(before)
})

test('a change of a file loses its lease where the rows of it are deleted meanwhile', async () => {
  const { id } = await makeMember(server)
  const before = await list()
  await upload(id)
  const lease = (await takeLease(server.services.database, `stored-file:${await readDigest(id)}`, 60))!
  await server.services.database.transaction((tx) => deleteDocuments(tx, id))
  await expect(server.services.database.transaction((tx) => lease.check(tx))).rejects.toThrow()
  await lease.release()
  await endLeases(server)
  await runJob(server.services, 'keep-files')
  expect(await list()).toEqual(before)
})

test('a picture that is erased while its key is wrapped again does not come back', async () => {
  const { id } = await makeMember(server)
  const before = await list()
  const { path } = await fixtures.uploadFile(id)
  const listAll = documents.list.bind(documents)
  const listOne = vi.spyOn(documents, 'list').mockImplementation(async function* () {
    for await (const file of listAll()) if (path.endsWith(file.name)) yield file
  })
  onTestFinished(() => listOne.mockRestore())
  const { keys } = documents
  const [present] = keys.list()
  const putFile: typeof files.put = files.put.bind(files)
  onTestFinished(() => void (files.put = putFile))
  const next = { ...present!, id: '0123456789abcdef', naming: Buffer.alloc(32, 5) }
  const listKeys = vi.spyOn(keys, 'list').mockReturnValue([next, present!])
  onTestFinished(() => listKeys.mockRestore())
  const mayStore = Promise.withResolvers<void>()
  onTestFinished(() => mayStore.resolve())
  const puts: string[] = []
  files.put = async (...given) => {
    puts.push(given[0])
    await mayStore.promise
    await putFile(...given)
  }
  await server.sql(`DELETE FROM settings WHERE name = 'files_kept'`)
  const pass = runJob(server.services, 'keep-files')
  await expect.poll(() => puts).toHaveLength(1)
  await endIdleTransaction()
  await eraseMember(server.system, id)
  mayStore.resolve()
  await pass
  files.put = putFile
  await endLeases(server)
  await runJob(server.services, 'keep-files')
  expect(await list()).toEqual(before)
})
