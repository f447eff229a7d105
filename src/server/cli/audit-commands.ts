import { openObjectStore } from '#server/adapters/object-store.ts'
import {
  copyAudit,
  describeFault,
  readIntegrity,
  replaceKey,
  verifyAndReport,
  verifyCopy,
} from '#server/features/audit-chain/service.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { type Command, defineCommand, standalone } from './command.ts'
import { readIdentities } from './backup-commands.ts'
import { count, createReporter } from './output.ts'

const countEntries = (entries: number) => count(entries, 'entry', 'entries')

const verify =
  (files: readonly string[]): Command =>
  async (ctx) => {
    const { rows, fault, checkpoints } = await verifyAndReport(ctx, { waits: true, files })
    const others = checkpoints.invalid === 0 ? '' : `; ${checkpoints.invalid} more carry no valid signature`
    const compared = `${countEntries(rows)} and ${checkpoints.valid} checkpoints are right${others}.`
    if (fault) throw new CommandError(`${describeFault(fault)}.\nBefore it ${compared}`, 1)
    return `The audit log is what was sealed: ${compared}`
  }

const showEntries = (reporter: ReturnType<typeof createReporter>) => (entries: bigint) =>
  reporter.update(() => countEntries(Number(entries)))

const copy =
  (place: string): Command =>
  async (ctx) => {
    const store = openObjectStore(ctx.config.backups.openPlace(place))
    const reporter = createReporter(process.stderr)
    const copying = copyAudit(ctx, { store, onProgress: showEntries(reporter) })
    const { entries, added } = (await copying.finally(() => reporter.end()))!
    return `Copied ${countEntries(Number(added))} into ${store.place}, which has all ${countEntries(Number(entries))} that are sealed.`
  }

const verifyFiles = (place: string, keyFile: string | undefined): Command =>
  standalone(async ({ config }) => {
    const store = openObjectStore(config.backups.openPlace(place))
    const reporter = createReporter(process.stderr)
    const identities = readIdentities(keyFile)
    const verifying = verifyCopy(config, { store, identities, onProgress: showEntries(reporter) })
    const { entries, files } = await verifying.finally(() => reporter.end())
    return `The copy is what was sealed: ${countEntries(Number(entries))} in ${count(files, 'file')}.`
  })

const status: Command = async (ctx) => {
  const { chain, verification, account } = await readIntegrity(ctx)
  return [
    chain.sealedTo === null ? 'Nothing is sealed yet.' : `Sealed up to entry ${chain.sealedTo}, at ${chain.sealedAt}.`,
    chain.waiting === 0 ? 'No row waits.' : `${chain.waiting} rows wait, the oldest since ${chain.waitingSince}.`,
    verification
      ? `Verified at ${verification.at}: ${verification.fault?.text ?? `${countEntries(verification.rows)} are right`}.`
      : 'Not verified yet.',
    `The server's database account "${account.name}" is ${account.level}.`,
  ].join('\n')
}

const newKey: Command = async (ctx) => {
  const { id, isNew, signed } = await replaceKey(ctx)
  return isNew
    ? `The key ${id} signs from now on, and ${signed} stored messages again. What other keys have sealed can't be verified without them.`
    : `The key ${id} signs already; nothing is changed.`
}

export const auditCommands = [
  defineCommand(
    'audit verify',
    'compare the audit log with its chain and its checkpoints; names the first bad entry',
    ({ checkpoints = [] }) => verify(checkpoints),
    { checkpoints: ['<file>', 'a copy of the checkpoints or of the log, besides the file in DATA_DIR', 'repeated'] },
  ),
  defineCommand(
    'audit copy <place>',
    'copy what is sealed into signed, compressed files in a folder or a bucket; goes on where the last copy ended',
    ({ place }) => copy(place),
  ),
  defineCommand(
    'audit verify-copy <place>',
    'verify such files from the first entry to the last; needs the key, and no database',
    ({ place, key }) => verifyFiles(place, key),
    { key: ['<file>', 'the key of the back-ups, where the copy is encrypted'] },
  ),
  defineCommand('audit status', 'how far the log is sealed, and the last verification', () => status),
  defineCommand('audit new-key', 'go on with the present key, where the one that signed before is lost', () => newKey),
]
