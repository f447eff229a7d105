import { join } from 'node:path'
import { createBucketStore, createFolderStore, type FileStore } from '#server/adapters/file-store.ts'
import type { Ctx } from '#server/core/context.ts'
import {
  adoptStore,
  checkStoredFiles,
  copyStore,
  dropDocumentKeys,
  readKeyStatus,
  rotateDocumentKey,
  switchStore,
} from '#server/features/documents/service.ts'
import { readBucketUrl } from '#server/lib/bucket-url.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { type Command, defineCommand, usageError } from './command.ts'
import { count, createReporter } from './output.ts'

const mostListed = 50
const countFiles = (files: number) => count(files, 'file')

const showKeys: Command = async (ctx) => {
  const { place, ids, missing, byKey, plain, unreadable } = await readKeyStatus(ctx)
  return [
    `Keys of documents in ${place}:`,
    ...ids.map((id, at) => `  ${id}  ${at === 0 ? 'encrypts' : 'decrypts'}  ${countFiles(byKey[id] ?? 0)}`),
    ...missing.map((id) => `  ${id}  is not here`),
    ...(plain > 0 ? [`${countFiles(plain)} not encrypted yet; the console does it in the background.`] : []),
    ...(unreadable > 0 ? [`${countFiles(unreadable)} damaged, or in need of a key that is not here.`] : []),
  ].join('\n')
}

const rotateKey: Command = async (ctx) => {
  const { id, isNew, byKey, rewrapped, encrypted, unreadable } = await rotateDocumentKey(ctx)
  const left = Object.entries(byKey).reduce((sum, [key, files]) => sum + (key === id ? 0 : files), 0)
  if (unreadable > 0)
    throw new CommandError(
      `${countFiles(unreadable)} can't be read and stay as they are; ${countFiles(rewrapped)} need the key ${id} now. No key is removed.`,
      1,
    )
  return [
    `${isNew ? 'The new key' : 'The key'} ${id} encrypts; ${countFiles(rewrapped + encrypted)} were taken over, ${left} are left.`,
    `Back up ${ctx.documents.keys.place}, apart from the documents. Older keys stay until: npm run admin -- keys drop documents`,
  ].join('\n')
}

const dropKeys =
  (isLost: boolean): Command =>
  async (ctx) => {
    const dropped = await dropDocumentKeys(ctx, isLost)
    if (dropped.length === 0) return 'Every key is needed; nothing is changed.'
    const where = ctx.documents.keys.drop ? '' : ` Take older keys out of ${ctx.documents.keys.place} and restart.`
    return `Removed: ${dropped.join(', ')}.${where}`
  }

const check: Command = async (ctx) => {
  const reporter = createReporter(process.stderr)
  const { present, missing, damaged } = await checkStoredFiles(ctx, (files) => reporter.update(() => countFiles(files)))
  reporter.end()
  const { place } = ctx.documents.files
  if (missing.length + damaged.length === 0) return `${place} has all of ${countFiles(present)}.`
  const lines = [
    ...missing.map(({ kind, sha256 }) => `missing  ${kind}  ${sha256}`),
    ...damaged.map(({ kind, sha256 }) => `damaged  ${kind}  ${sha256}`),
  ]
  const rest = lines.length - mostListed
  throw new CommandError(
    [
      `${place} has ${countFiles(present)}; ${countFiles(missing.length)} missing, ${countFiles(damaged.length)} damaged:`,
      ...lines.slice(0, mostListed),
      ...(rest > 0 ? [`and ${rest.toLocaleString('en')} more`] : []),
      'A picture comes back when the platform uploads it again, a statement when the file is imported again, and both from a back-up.',
    ].join('\n'),
    1,
  )
}

function openTarget({ config, documents }: Ctx, given: string): FileStore {
  let target: FileStore
  if (given === 'folder') target = createFolderStore(join(config.dataDir, 'documents'))
  else {
    const credentials = config.documentCredentials
    if (!credentials)
      throw usageError('documents move needs DOCUMENTS_ACCESS_KEY_ID and DOCUMENTS_SECRET_ACCESS_KEY of the bucket')
    try {
      target = createBucketStore({ ...readBucketUrl(given), ...credentials })
    } catch (error) {
      throw usageError(`--to ${(error as Error).message}`)
    }
  }
  if (target.place === documents.files.place) throw usageError(`The documents are in ${target.place} already`)
  return target
}

const move =
  (given: string, isSwitching: boolean): Command =>
  async (ctx) => {
    const target = openTarget(ctx, given)
    const reporter = createReporter(process.stderr)
    const { copied, present } = await copyStore(ctx, target, (done) =>
      reporter.update(() => countFiles(done.copied + done.present)),
    )
    reporter.end()
    const moved = `${countFiles(copied)} copied to ${target.place}, ${countFiles(present)} there already; every byte was compared.`
    if (!isSwitching)
      return `${moved}\nThen stop all consoles, run it again with --switch, set DOCUMENTS, and start them.`
    await switchStore(ctx, target)
    return `${moved}\nThe documents are in ${target.place} now. Set DOCUMENTS to it before the next start; ${ctx.documents.files.place} stays as it is.`
  }

const adopt: Command = async (ctx) => {
  const mark = await adoptStore(ctx)
  return `${ctx.documents.files.place} (${mark}) is the store of this database now. What it lacks: npm run admin -- documents check`
}

export const documentCommands = [
  defineCommand('keys status', 'which keys encrypt the stored files, and how many files need each', () => showKeys),
  defineCommand(
    'keys rotate documents',
    'wrap the keys of all stored files with a new key; begun again, it goes on',
    () => rotateKey,
  ),
  defineCommand(
    'keys drop documents',
    'remove the keys that no file needs any more',
    ({ lost = false }) => dropKeys(lost),
    { lost: 'also give up keys that are not here, with the files that they encrypt' },
  ),
  defineCommand(
    'documents check',
    'read every stored file that the database names, and list what is missing or damaged',
    () => check,
  ),
  defineCommand(
    'documents move',
    'copy all files to another place, while the console runs; begun again, it goes on',
    ({ to, switch: isSwitching = false }) => {
      if (to === undefined) throw usageError('documents move needs --to and a place')
      return move(to, isSwitching)
    },
    {
      to: ['<place>', 's3://bucket/folder?endpoint=…, or "folder", which is the one in DATA_DIR'],
      switch: 'with no console running: copy the rest, and let the database name the new place',
    },
  ),
  defineCommand('documents adopt', 'take the store of the settings as it is for the one of this database', () => adopt),
]
