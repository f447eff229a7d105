import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { contextFor, type Services } from '#server/core/context.ts'
import { keyFile, readSigningKeys } from '#server/core/signing-keys.ts'
import { createBackup, restoreBackup, type Verified, verifyBackup } from '#server/features/backups/service.ts'
import { generateAgeKey, isAgeIdentity } from '#server/lib/age.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { openRestoreBase } from '#server/process/restore.ts'
import type { Command, CommandTools, Standalone } from './command.ts'
import { createReporter } from './report-progress.ts'

export const backupUsage = `  backup <folder>              copy database and documents, as they are at one moment, into a new folder while consoles go on;
                               encrypted where BACKUP_KEY is set
  backup verify <folder>       read a back-up whole and say what is wrong with it; needs no database
      --key <file>             the file with the key that opens it, where it is encrypted
  backup new-key               make a pair of keys: one for BACKUP_KEY, one to keep elsewhere
  restore <folder>             put a back-up into an empty database, whole or not at all, and end all sessions
      --key <file>             the file with the key that opens it, where it is encrypted`

const wrong = (problem: string) => new CommandError(problem, 2)

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { key: { type: 'string' } } as const })
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

/** A command that works without a console's database. */
const standalone = (run: Standalone): Command =>
  Object.assign(() => Promise.reject(new Error('this command opens what it needs by itself')), { standalone: run })

/** `npm run admin -- backup …`: the words after `backup`. Throws CommandError for what is no command. */
export function readBackupCommand(args: string[]): Command {
  const { values, positionals } = parse(args)
  const [verb, ...more] = positionals
  if (verb === undefined) throw wrong('backup needs one more word: a folder, verify or new-key')
  if (verb === 'verify') {
    const [folder, ...rest] = more
    if (folder === undefined) throw wrong('backup verify names a folder')
    if (rest.length > 0) throw wrong(`backup verify does not know what to do with "${rest[0]}"`)
    return standalone(() => verify(resolve(folder), values.key))
  }
  if (values.key !== undefined) throw wrong(`backup ${verb} knows no --key: set BACKUP_KEY`)
  if (more.length > 0) throw wrong(`backup ${verb} does not know what to do with "${more[0]}"`)
  return verb === 'new-key' ? standalone(makeKey) : backUp(resolve(verb))
}

/** `npm run admin -- restore …`: the words after `restore`. Throws CommandError for what is no command. */
export function readRestoreCommand(args: string[]): Command {
  const { values, positionals } = parse(args)
  const [folder, ...more] = positionals
  if (folder === undefined) throw wrong('restore names the folder of a back-up')
  if (more.length > 0) throw wrong(`restore does not know what to do with "${more[0]}"`)
  return standalone((tools) => restore(resolve(folder), values.key, tools))
}

/** The keys of a file as age has them: one in a line, with comments beside. */
function readIdentities(file: string | undefined): string[] {
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

const count = (number: number, one: string, more: string) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : more}`

const describeContent = ({ manifest, rows }: Pick<Verified, 'manifest' | 'rows'>) =>
  `${count(rows, 'row', 'rows')} of ${manifest.tables.length} tables and ${count(manifest.documents.files, 'document', 'documents')}, as of ${manifest.takenAt}`

const describeMissing = ({ documents }: Verified['manifest']): string[] =>
  documents.missing.length === 0
    ? []
    : [`${count(documents.missing.length, 'document', 'documents')} that rows name were not in the store.`]

const backUp =
  (folder: string): Command =>
  async (ctx) => {
    const { recipients } = ctx.config.backups
    const reporter = createReporter(process.stderr)
    const outcome = await createBackup(ctx, {
      folder,
      recipients,
      onProgress: ({ tables, ofTables, rows, bytes, files }) =>
        reporter.update(
          `${tables} of ${ofTables} tables, ${count(rows, 'row', 'rows')}, ${(bytes / 1e6).toFixed(1)} MB, ${count(files, 'document', 'documents')}`,
        ),
    }).finally(() => reporter.end())
    return [
      `Backed up into ${folder}: ${describeContent(outcome)}.`,
      ...describeMissing(outcome.manifest),
      recipients.length > 0
        ? 'It is encrypted; verify it where its key is.'
        : 'Its rows are not encrypted: BACKUP_KEY is not set.',
      'The keys of DATA_DIR/keys, or of the settings, are not part of it: keep them apart.',
    ].join('\n')
  }

async function verify(folder: string, key: string | undefined): Promise<string> {
  const reporter = createReporter(process.stderr)
  const verified = await verifyBackup({
    folder,
    identities: readIdentities(key),
    onProgress: ({ files, bytes }) =>
      reporter.update(`${count(files, 'file', 'files')} read, ${(bytes / 1e6).toFixed(1)} MB`),
  }).finally(() => reporter.end())
  return [
    `The back-up is whole: ${describeContent(verified)}.`,
    ...describeMissing(verified.manifest),
    `It was made by version ${verified.manifest.consoleVersion} on PostgreSQL ${verified.manifest.postgresVersion}.`,
  ].join('\n')
}

const makeKey: Standalone = async () => {
  const { recipient, identity } = generateAgeKey()
  return [
    'What the console encrypts back-ups with:',
    `BACKUP_KEY=${recipient}`,
    'What opens them. It is shown this once: keep it in a file away from this machine, and name that with --key:',
    identity,
  ].join('\n')
}

async function restore(folder: string, key: string | undefined, { config, log, say, actor }: CommandTools) {
  const identities = readIdentities(key)
  const base = await openRestoreBase(config, log, say)
  const reporter = createReporter(process.stderr)
  try {
    const outcome = await restoreBackup(contextFor(base.services, actor), base.owner, {
      folder,
      identities,
      say: (line) => {
        reporter.end()
        say(line)
      },
      onLoad: ({ tables, ofTables, rows }) =>
        reporter.update(`${tables} of ${ofTables} tables, ${count(rows, 'row', 'rows')}`),
    })
    return [
      `Restored: ${describeContent(outcome)}. ${count(outcome.endedSessions, 'session', 'sessions')} ended.`,
      ...describeMissing(outcome.manifest),
      ...describeLackingKeys(base.services, outcome),
      'Then: npm run admin -- audit verify. What was revoked or disabled since the back-up is valid again: npm run admin -- access list',
    ].join('\n')
  } finally {
    reporter.end()
    await base.close()
  }
}

/** Reads no file that is not there, since the first read makes it. */
function describeLackingKeys({ config, documents }: Services, { manifest: { keys } }: Verified): string[] {
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
