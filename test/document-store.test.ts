import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { openDocumentStore } from '#server/adapters/document-store.ts'
import { createBucketStore, createFolderStore } from '#server/adapters/file-store.ts'
import { contextFor, type Services } from '#server/core/context.ts'
import { readCommand } from '#server/cli/admin-commands.ts'
import { createAdmin } from '#server/features/auth/service.ts'
import { claimStore } from '#server/features/documents/service.ts'
import { eraseMember } from '#server/features/erasure/service.ts'
import { createAdminCommand } from './support/admin-command.ts'
import { makeMember } from './support/make.ts'
import { keepPasswords } from './support/own-passwords.ts'
import { startS3 } from './support/s3-server.ts'
import { password, startServer, type TestServer } from './support/server.ts'
import { createFileFixtures } from './support/stored-files.ts'

const s3 = await startS3()
const folders: string[] = []
afterAll(async () => {
  await s3.close()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})
const documentsKey = Buffer.alloc(32, 7).toString('base64')
const start = (folder: string) => startServer({ ...s3.settings(folder), DOCUMENTS_KEY: documentsKey })

/** The services of another server of the same console, with a data folder of its own. */
async function openBeside({ services }: TestServer, given: Partial<Services['config']> = {}): Promise<Services> {
  const dataDir = await mkdtemp(join(tmpdir(), 'back-office-other-'))
  folders.push(dataDir)
  const config = { ...services.config, dataDir, ...given }
  return { ...services, config, documents: openDocumentStore(config) }
}
const run = (services: Services, ...words: string[]) =>
  readCommand(['documents', ...words])!(contextFor(services, { kind: 'command', name: 'tests' }))
async function whileDown(work: () => Promise<void>) {
  await s3.stop()
  try {
    await work()
  } finally {
    await s3.start()
  }
}
/** Calls of an operator to the app of these services. */
async function showThrough(services: Services, memberId: string, paths: readonly string[]): Promise<number[]> {
  const app = await buildApp(services)
  await createAdmin(contextFor(services, { kind: 'system', name: 'tests' }), 'zoe', password)
  await keepPasswords(services)
  const signIn = { method: 'POST', url: '/api/auth/login', payload: { username: 'zoe', password } } as const
  const cookie = String((await app.inject(signIn)).headers['set-cookie']).split(';')[0]!
  const statuses: number[] = []
  for (const documentPath of paths) {
    const payload = { userId: memberId, documentPath }
    const asked = await app.inject({ method: 'POST', url: '/api/documents/token', payload, headers: { cookie } })
    const { token } = asked.json<{ token: string }>()
    statuses.push((await app.inject({ url: `/api/documents/proxy/${token}`, headers: { cookie } })).statusCode)
  }
  await app.close()
  return statuses
}
/** Deletes the only object of a folder. */
async function loseFile(folder: string) {
  const store = createBucketStore(s3.bucket(`${folder}/`))
  for await (const { name } of store.list()) await store.delete(name)
}

test('what one server stores in the bucket another one with its own folder shows', async () => {
  const server = await start('shared')
  const { upload, list } = createFileFixtures(server)
  const { id } = await makeMember(server)
  const documentPath = await upload(id)
  expect(await list(), 'nothing lies in the folder').toEqual([])
  expect(await showThrough(await openBeside(server), id, [documentPath])).toEqual([200])
})

test('a file that the bucket has lost is missing, and heals when it is uploaded again', async () => {
  const server = await start('healed')
  const { upload, view } = createFileFixtures(server)
  const { id } = await makeMember(server)
  const documentPath = await upload(id)
  await loseFile('healed')
  expect((await view(id, documentPath)).statusCode).toBe(404)
  await expect(run(server.services, 'check')).rejects.toThrow(
    /1 file missing, 0 files damaged:\nmissing {2}picture {2}/,
  )
  // The same bytes: the fixtures count their pictures from the same width.
  expect(await createFileFixtures(server).upload(id)).toBe(documentPath)
  expect((await view(id, documentPath)).statusCode).toBe(200)
  expect(await run(server.services, 'check')).toBe('s3://documents/healed/ has all of 1 file.')
})

test('a store that is down is a 503 with a time to wait, never a missing file', async () => {
  const server = await start('down')
  const { upload, view } = createFileFixtures(server)
  const { id } = await makeMember(server)
  const documentPath = await upload(id)
  await whileDown(async () => {
    const reply = await view(id, documentPath)
    expect([reply.statusCode, reply.json().code, reply.headers['retry-after']]).toEqual([503, 'store_unavailable', '5'])
    expect((await server.app.inject('/ready')).statusCode, 'the server stays in service').toBe(200)
    await expect(eraseMember(server.system, id)).rejects.toMatchObject({ code: 'store_unavailable' })
  })
  expect((await view(id, documentPath)).statusCode).toBe(200)
})

test('servers with different stores do not start on one database', async () => {
  const server = await start('claimed')
  await claimStore(server.services)
  await claimStore(await openBeside(server))
  await createFileFixtures(server).upload((await makeMember(server)).id)
  const folder = await openBeside(server, { documentBucket: undefined })
  await expect(claimStore(folder)).rejects.toThrow(/is not the store of this database's documents: it has no mark/)
  const elsewhere = await openBeside(server, { documentBucket: s3.bucket('another/') })
  await elsewhere.documents.files.writeMark('mark-of-another')
  await expect(claimStore(elsewhere)).rejects.toThrow('it has the mark of another one')
  expect(await run(elsewhere, 'adopt')).toContain('(mark-of-another) is the store of this database now')
  await claimStore(elsewhere)
  await expect(claimStore(server.services)).rejects.toThrow('it has the mark of another one')
})

test('servers that start at once on a new database agree on one mark', async () => {
  const server = await start('at-once')
  await Promise.all([server.services, await openBeside(server), await openBeside(server)].map(claimStore))
  const [row] = await server.sql(`SELECT value FROM settings WHERE name = 'document_store'`)
  expect(row!.value).toBe(await server.services.documents.files.readMark())
})

test('a restored database, which knows no mark, takes the store that it finds', async () => {
  const server = await start('restored')
  await claimStore(server.services)
  const mark = await server.services.documents.files.readMark()
  await server.sql(`DELETE FROM settings WHERE name = 'document_store'`)
  await claimStore(server.services)
  const [row] = await server.sql(`SELECT value FROM settings WHERE name = 'document_store'`)
  expect(row!.value).toBe(mark)
})

test('a store that was away at the start is checked before its first use', async () => {
  const server = await start('late')
  await claimStore(server.services)
  await createFileFixtures(server).upload((await makeMember(server)).id)
  const [wrong, right] = [await openBeside(server, { documentBucket: s3.bucket('empty/') }), await openBeside(server)]
  await whileDown(async () => {
    for (const services of [wrong, right]) {
      services.documents.setCheck(() => claimStore(services))
      await expect(services.documents.check()).rejects.toMatchObject({ code: 'store_unavailable' })
    }
  })
  const id = { kind: 'picture', sha256: 'a'.repeat(64) } as const
  expect(await right.documents.read(id)).toBeNull()
  await expect(wrong.documents.read(id)).rejects.toThrow('is not the one of this database')
})

test('all files move from the folder to a bucket, and a move that was cut off goes on', async () => {
  const server = await startServer({ DOCUMENTS_KEY: documentsKey, ...credentials() })
  await claimStore(server.services)
  const { upload, folder } = createFileFixtures(server)
  const { id } = await makeMember(server)
  const paths = [await upload(id), await upload(id, 'back'), await upload(id, 'selfie')]
  const target = createBucketStore(s3.bucket('moved/'))
  const source = createFolderStore(folder)
  const names: string[] = []
  for await (const { name } of source.list()) names.push(name)
  await target.put(names[0]!, (await source.get(names[0]!))!)
  await target.put(names[1]!, Buffer.from('cut off'))
  expect(await run(server.services, 'move', '--to', s3.url('moved'))).toMatch(
    /^2 files copied to s3:\/\/documents\/moved\/, 1 file there already; every byte was compared\.\nThen stop all consoles/,
  )
  await claimStore(server.services)
  expect(await run(server.services, 'move', '--to', s3.url('moved'), '--switch')).toMatch(/^0 files copied .*, 3 files/)
  await expect(claimStore(server.services)).rejects.toThrow('the mark of another one')
  const moved = await openBeside(server, { documentBucket: s3.bucket('moved/') })
  await claimStore(moved)
  expect(await showThrough(moved, id, paths)).toEqual([200, 200, 200])
  expect(await run(moved, 'check')).toBe('s3://documents/moved/ has all of 3 files.')
})

/** What a console with a folder needs to move to the bucket. */
function credentials() {
  const { DOCUMENTS: _place, ...rest } = s3.settings()
  return rest
}

test.each([
  [['move'], 'documents move needs --to and a place'],
  [['move', '--to', 'ftp://x'], '--to must be like s3://bucket/folder'],
  [['move', '--to', 'folder', '--to'], "Option '--to"],
  [['check', '--switch'], 'documents check knows no --switch'],
  [['lose'], 'There is no command "documents lose"'],
  [[], 'documents needs one more word'],
])('documents %j is refused', async (words, problem) => {
  const server = await startServer(s3.settings('words'))
  await expect(async () => run(server.services, ...words)).rejects.toThrow(problem)
})

test('npm run admin checks the store of its settings', async () => {
  const server = await start('command')
  const admin = await createAdminCommand(server)
  const environment = { ...s3.settings('command'), DOCUMENTS_KEY: documentsKey }
  expect(await admin(['documents', 'check'], { environment })).toMatchObject({
    code: 0,
    out: 's3://documents/command/ has all of 0 files.\n',
  })
})
