import { existsSync, readFileSync } from 'node:fs'
import { type ObjectStore, openObjectStore } from '#server/adapters/object-store.ts'
import type { Config } from '#server/core/config.ts'
import { contextFor, type Services } from '#server/core/context.ts'
import { keyFile, readSigningKeys } from '#server/core/signing-keys.ts'
import {
  createBackup,
  listBackups,
  restoreBackup,
  restoreToInstant,
  settleRestored,
  settleRestoredByTools,
  type VerifiedBackup,
  verifyBackup,
} from '#server/features/backups/service.ts'
import { readUrl } from '#server/db/connection.ts'
import { waitForDatabase } from '#server/db/wait-for-database.ts'
import { generateAgeKey, isAgeIdentity } from '#server/lib/age.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { openRestoreBase } from '#server/process/restore.ts'
import { type Command, type CommandTools, defineCommand, standalone, type Standalone, usageError } from './command.ts'
import { count, createReporter } from './output.ts'

/** Undefined for the latest one. */
function readInstant(text: string): string | undefined {
  if (text === 'latest') return undefined
  const at = new Date(text)
  if (!/(Z|[+-]\d\d:?\d\d)$/.test(text) || Number.isNaN(at.getTime()))
    throw usageError('--at names an instant with its zone, such as 2026-11-24T10:30:00Z, or latest')
  return at.toISOString()
}

/** A folder, or a folder of a bucket with the account of the settings. */
const openPlace = ({ backups }: Config, text: string): ObjectStore => openObjectStore(backups.openPlace(text))

/** The keys of a file as age has them: one in a line, with comments beside. */
export function readIdentities(file: string | undefined): string[] {
  if (file === undefined) return []
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}`)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (lines.length === 0 || !lines.every(isAgeIdentity))
    throw new CommandError(`${file} holds no key of age: a line AGE-SECRET-KEY-1…`)
  return lines
}

const describeContent = ({ manifest, rows }: Pick<VerifiedBackup, 'manifest' | 'rows'>) =>
  `${count(rows, 'row')} of ${manifest.tables.length} tables and ${count(manifest.documents.files, 'document')}, as of ${manifest.takenAt}`

const describeMissing = ({ documents }: VerifiedBackup['manifest']): string[] =>
  documents.missing.length === 0
    ? []
    : [`${count(documents.missing.length, 'document')} that rows name were not in the store.`]

const backUp =
  (place: string): Command =>
  async (ctx) => {
    const store = openPlace(ctx.config, place)
    const { recipients } = ctx.config.backups
    const reporter = createReporter(process.stderr)
    const outcome = await createBackup(ctx, {
      store,
      recipients,
      onProgress: ({ tables, ofTables, rows, bytes, files }) =>
        reporter.update(
          () =>
            `${tables} of ${ofTables} tables, ${count(rows, 'row')}, ${(bytes / 1e6).toFixed(1)} MB, ${count(files, 'document')}`,
        ),
    }).finally(() => reporter.end())
    return [
      `Backed up into ${store.place}: ${describeContent(outcome)}.`,
      ...describeMissing(outcome.manifest),
      recipients.length > 0
        ? 'It is encrypted; verify it where its key is.'
        : 'Its rows are not encrypted: BACKUP_KEY is not set.',
      'The keys of DATA_DIR/keys, or of the settings, are not part of it: keep them apart.',
    ].join('\n')
  }

const list: Standalone = async ({ config: { backups } }) => {
  if (!backups.place) throw usageError('backup list needs BACKUP_TO, where back-ups are made by the clock')
  const store = openObjectStore(backups.place)
  const found = await listBackups(store)
  if (found.length === 0) return `There is no back-up at ${store.place} yet.`
  return found
    .map(({ name, begunAt, state }) => `${begunAt}  ${state.padEnd(10)}  ${store.within(name).place}`)
    .join('\n')
}

async function verify(store: ObjectStore, key: string | undefined): Promise<string> {
  const reporter = createReporter(process.stderr)
  const verified = await verifyBackup({
    store,
    identities: readIdentities(key),
    onProgress: ({ files, bytes }) =>
      reporter.update(() => `${count(files, 'file')} read, ${(bytes / 1e6).toFixed(1)} MB`),
  }).finally(() => reporter.end())
  return [
    `The back-up is whole: ${describeContent(verified)}.`,
    ...describeMissing(verified.manifest),
    `It was made by version ${verified.manifest.consoleVersion} on PostgreSQL ${verified.manifest.postgresVersion}.`,
  ].join('\n')
}

const makeKey: Standalone = async () => {
  const { recipient, identity } = await generateAgeKey()
  return [
    'What the console encrypts back-ups with:',
    `BACKUP_KEY=${recipient}`,
    'What opens them. It is shown this once: keep it in a file away from this machine, and name that with --key:',
    identity,
  ].join('\n')
}

const afterRestore =
  'Then: npm run admin -- audit verify. What was revoked or disabled since is valid again: npm run admin -- access list'

async function restore(store: ObjectStore, key: string | undefined, { config, log, say, actor }: CommandTools) {
  const identities = readIdentities(key)
  const base = await openRestoreBase(config, log, say)
  const reporter = createReporter(process.stderr)
  try {
    const outcome = await restoreBackup(contextFor(base.services, actor), base.owner, {
      store,
      identities,
      say: (line) => {
        reporter.end()
        say(line)
      },
      onLoad: ({ tables, ofTables, rows }) =>
        reporter.update(() => `${tables} of ${ofTables} tables, ${count(rows, 'row')}`),
    })
    return [
      `Restored: ${describeContent(outcome)}. ${count(outcome.endedSessions, 'session')} ended.`,
      ...describeMissing(outcome.manifest),
      ...describeLackingKeys(base.services, outcome),
      afterRestore,
    ].join('\n')
  } finally {
    reporter.end()
    await base.close()
  }
}

/** The database as it was at an instant, and what such a database has to be told. */
async function restoreAt(
  archive: ObjectStore,
  { key, at }: { key: string | undefined; at: string | undefined },
  { config, log, say, actor }: CommandTools,
): Promise<string> {
  if (config.databaseUrl !== undefined)
    throw usageError(
      'restore --at makes an embedded database: leave DATABASE_URL away, and set DATA_DIR to a new folder',
    )
  const { dataDir } = config
  const { base } = await restoreToInstant({ archive, identities: readIdentities(key), dataDir, at, say })
  const restored = await openRestoreBase(config, log, say)
  try {
    const endedSessions = await settleRestored(contextFor(restored.services, actor), {
      takenAt: at ?? 'latest',
      consoleVersion: base.consoleVersion,
    })
    return [
      `The database in ${dataDir} is as it was at ${at ?? 'the end of the archive'}. ${count(endedSessions, 'session')} ended.`,
      'Documents and keys are not part of the archive: put them back before the start, and name another place in WAL_ARCHIVE.',
      afterRestore,
    ].join('\n')
  } finally {
    await restored.close()
  }
}

/** So long a database that was put back may still play its log. */
const replaySeconds = 600

const settle: Standalone = async ({ config, log, say, actor }) => {
  if (config.databaseUrl === undefined)
    throw usageError('db restored is for a database of your own; restore does the same for the embedded one')
  await waitForDatabase(readUrl(config.databaseUrl), { setting: 'DATABASE_URL', say, seconds: replaySeconds })
  const base = await openRestoreBase(config, log, say)
  try {
    const { takenAt, endedSessions } = await settleRestoredByTools(contextFor(base.services, actor))
    return [
      `The last that was done in this database is of ${takenAt}. ${count(endedSessions, 'session')} ended.`,
      afterRestore,
    ].join('\n')
  } finally {
    await base.close()
  }
}

/** Reads no file that is not there, since the first read makes it. */
function describeLackingKeys({ config, documents }: Services, { manifest: { keys } }: VerifiedBackup): string[] {
  const hasAuditKeys = config.auditKeys.length > 0 || existsSync(keyFile(config.dataDir))
  const audit = hasAuditKeys ? readSigningKeys(config).map(({ id }) => id) : []
  const present = documents.keys.exist() ? documents.keys.list().map(({ id }) => id) : []
  const lacking = keys.documents.filter((id) => !present.includes(id))
  return [
    ...(keys.audit.length > 0 && !keys.audit.some((id) => audit.includes(id))
      ? [
          `Before the start put the key of the audit log back that has the id ${keys.audit.at(-1)} (AUDIT_KEY, or DATA_DIR/keys/audit).`,
        ]
      : []),
    ...(lacking.length > 0
      ? [
          `Before the start put the keys of documents back that have the ids ${lacking.join(', ')} (${documents.keys.place}).`,
        ]
      : []),
  ]
}

const key = ['<file>', 'the file with the key that opens it, where it is encrypted'] as const

export const backupCommands = [
  defineCommand(
    'backup <place>',
    'copy database and documents, as they are at one moment, into a new folder, or one of a bucket (s3://bucket/folder?endpoint=…), while consoles go on; encrypted where BACKUP_KEY is set',
    ({ place }) => backUp(place),
  ),
  defineCommand('backup list', 'what there is at BACKUP_TO', () => standalone(list)),
  defineCommand(
    'backup verify <place>',
    'read a back-up whole and say what is wrong with it; needs no database',
    ({ place, key: file }) => standalone(({ config }) => verify(openPlace(config, place), file)),
    { key },
  ),
  defineCommand('backup new-key', 'make a pair of keys: one for BACKUP_KEY, one to keep elsewhere', () =>
    standalone(makeKey),
  ),
  defineCommand(
    'restore <place>',
    'put a back-up into an empty database, whole or not at all, and end all sessions',
    ({ place, key: file, at: text }) => {
      if (text === undefined) return standalone((tools) => restore(openPlace(tools.config, place), file, tools))
      const at = readInstant(text)
      return standalone((tools) => restoreAt(openPlace(tools.config, place), { key: file, at }, tools))
    },
    {
      key,
      at: [
        '<instant>',
        'instead, put the embedded database of that instant (2026-11-24T10:30:00Z, or latest) into a new DATA_DIR; the place is that of WAL_ARCHIVE',
      ],
    },
  ),
  defineCommand(
    'db restored',
    'after tools have put a database of your own back: end all sessions, let lists of changes begin again',
    () => standalone(settle),
  ),
]
