import { createHash } from 'node:crypto'
import { copyFile, cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createFolderObjects } from '#server/adapters/folder-objects.ts'
import { createBackup, verifyBackup } from '#server/features/backups/service.ts'
import { makeDatabase, makeFolder, readDigests, restoreInto } from './support/backups.ts'
import { makeMember } from './support/make.ts'
import { startServer } from './support/server.ts'
import { createFileFixtures } from './support/stored-files.ts'

const server = await startServer()
const folder = await makeFolder()
const whole = join(folder, 'whole')

beforeAll(async () => {
  const { upload } = createFileFixtures(server)
  const { id } = await makeMember(server)
  await upload(id)
  await upload(id, 'back')
  await createBackup(server.system, { store: createFolderObjects(whole), recipients: [] })
})

/** A copy of the backup, damaged by `damage`. */
async function makeDamaged(name: string, damage: (place: string) => Promise<unknown>) {
  const place = join(folder, `damaged ${name}`)
  await cp(whole, place, { recursive: true })
  await damage(place)
  return place
}

const table = 'tables/members.copy.zst'

async function flip(path: string) {
  const bytes = await readFile(path)
  bytes[bytes.length >> 1]! ^= 1
  await writeFile(path, bytes)
}
const findDocument = async (place: string) =>
  `documents/${(await readdir(join(place, 'documents'), { recursive: true })).find((name) => name.length > 60)}`

/** Writes the digest of a changed part into SHA256SUMS, as somebody does who hides the change. */
async function listAgain(place: string, path: string) {
  const digest = createHash('sha256')
    .update(await readFile(join(place, path)))
    .digest('hex')
  const sums = await readFile(join(place, 'SHA256SUMS'), 'utf8')
  await writeFile(join(place, 'SHA256SUMS'), sums.replace(new RegExp(`^.{64}(?=  ${path}$)`, 'm'), digest))
}
const editManifest = async (place: string, edit: (text: string) => string) => {
  const path = join(place, 'manifest.json')
  await writeFile(path, edit(await readFile(path, 'utf8')))
  await listAgain(place, 'manifest.json')
}

test.each<[string, (place: string) => Promise<unknown>, RegExp]>([
  ['no SHA256SUMS', (place) => rm(join(place, 'SHA256SUMS')), /is not a finished back-up: it has no SHA256SUMS/],
  ['a bit of a table', (place) => flip(join(place, table)), /members\.copy\.zst is not what was written/],
  ['a table cut off', (place) => truncate(join(place, table), 20), /members\.copy\.zst is not what was written/],
  ['a missing table', (place) => rm(join(place, table)), /members\.copy\.zst is missing/],
  [
    'a bit of a document',
    async (place) => flip(join(place, await findDocument(place))),
    /documents\/.* is not what was/,
  ],
  ['a missing document', async (place) => rm(join(place, await findDocument(place))), /documents\/.* is missing/],
  [
    'a line less',
    async (place) => {
      const path = join(place, 'SHA256SUMS')
      await writeFile(path, (await readFile(path, 'utf8')).replace(/^.*members\.copy.*\n/m, ''))
    },
    /members\.copy\.zst is not listed/,
  ],
  [
    'a document less in the list',
    async (place) => {
      const path = join(place, 'SHA256SUMS')
      await writeFile(path, (await readFile(path, 'utf8')).replace(/^.*documents\/.*\n/m, ''))
    },
    /documents: 1 are listed, and 2 were written/,
  ],
  [
    'a list that is not a list',
    (place) => writeFile(join(place, 'SHA256SUMS'), 'x\n'),
    /SHA256SUMS is damaged: line 1/,
  ],
  [
    'a path out of the folder',
    async (place) => writeFile(join(place, 'SHA256SUMS'), `${'0'.repeat(64)}  ../whole/manifest.json\n`),
    /SHA256SUMS is damaged: line 1/,
  ],
  [
    'another table under its name',
    async (place) => {
      await copyFile(join(place, 'tables/orders.copy.zst'), join(place, table))
      await listAgain(place, table)
    },
    /members\.copy\.zst (has|holds)/,
  ],
  [
    'a table that is not zstd',
    async (place) => {
      await writeFile(join(place, table), 'rows')
      await listAgain(place, table)
    },
    /members\.copy\.zst cannot be decompressed/,
  ],
  [
    'a compressed table cut off',
    async (place) => {
      const { length } = await readFile(join(place, table))
      await truncate(join(place, table), length - 3)
      await listAgain(place, table)
    },
    /members\.copy\.zst/,
  ],
  [
    'no manifest',
    async (place) => {
      await rm(join(place, 'manifest.json'))
      await writeFile(join(place, 'SHA256SUMS'), '')
    },
    /has no manifest\.json/,
  ],
  ['a manifest of nonsense', (place) => editManifest(place, () => '{}'), /manifest\.json of the back-up .* is damaged/],
  [
    'a later form',
    (place) => editManifest(place, (text) => text.replace('"version": 1', '"version": 2')),
    /made by a later version/,
  ],
])('verify names %s', async (name, damage, problem) => {
  const place = await makeDamaged(name, damage)
  await expect(verifyBackup({ store: createFolderObjects(place), identities: [] })).rejects.toThrow(problem)
})

test('nothing is restored from a damaged back-up', async () => {
  const place = await makeDamaged('before a restore', (each) => flip(join(each, table)))
  const target = await makeDatabase()
  const restored = restoreInto({ ...target, dataDir: await makeFolder(), store: createFolderObjects(place) })
  await expect(restored).rejects.toThrow('members.copy.zst is not what was written')
  expect(await readDigests(target.name)).toEqual({})
})
