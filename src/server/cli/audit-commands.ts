import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  copyAudit,
  describeFault,
  readIntegrity,
  replaceKey,
  verifyAndReport,
  verifyCopy,
} from '#server/features/audit-chain/service.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { type Command, standalone } from './command.ts'
import { createReporter } from './report-progress.ts'

export const auditUsage = `  audit verify                 compare the audit log with its chain and its checkpoints; names the first bad entry
      --checkpoints <file>     a copy of the checkpoints or of the log, besides the file in DATA_DIR
  audit copy <folder>          copy what is sealed into signed, compressed files; goes on where the last copy ended
  audit verify-copy <folder>   verify such files from the first entry to the last; needs the key, and no database
  audit status                 how far the log is sealed, and the last verification
  audit new-key                go on with the present key, where the one that signed before is lost`

const wrong = (problem: string) => new CommandError(problem, 2)

function parse(args: string[]) {
  try {
    const options = { checkpoints: { type: 'string', multiple: true } } as const
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

/** `npm run admin -- audit …`: the words after `audit`. Throws CommandError for what is no command. */
export function readAuditCommand(args: string[]): Command {
  const { values, positionals } = parse(args)
  const [verb, ...more] = positionals
  if (verb === undefined) throw wrong('audit needs one more word: verify, copy, verify-copy, status or new-key')
  if (verb === 'copy' || verb === 'verify-copy') {
    const [folder, ...rest] = more
    if (folder === undefined) throw wrong(`audit ${verb} names a folder`)
    if (rest.length > 0) throw wrong(`audit ${verb} does not know what to do with "${rest[0]}"`)
    if (values.checkpoints) throw wrong(`audit ${verb} knows no --checkpoints`)
    return verb === 'copy' ? copy(resolve(folder)) : verifyFiles(resolve(folder))
  }
  if (more.length > 0) throw wrong(`audit ${verb} does not know what to do with "${more[0]}"`)
  if (verb === 'verify') return verify(values.checkpoints ?? [])
  if (values.checkpoints) throw wrong(`audit ${verb} knows no --checkpoints`)
  if (verb === 'status') return status
  if (verb === 'new-key') return newKey
  throw wrong(`There is no command "audit ${verb}"`)
}

const countEntries = (count: number) => (count === 1 ? '1 entry' : `${count.toLocaleString('en')} entries`)

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
  reporter.update(countEntries(Number(entries)))

const copy =
  (folder: string): Command =>
  async (ctx) => {
    const reporter = createReporter(process.stderr)
    const { entries, added } = await copyAudit(ctx, folder, showEntries(reporter)).finally(() => reporter.end())
    return `Copied ${countEntries(Number(added))} into ${folder}, which has all ${countEntries(Number(entries))} that are sealed.`
  }

const verifyFiles = (folder: string): Command =>
  standalone(async ({ config }) => {
    const reporter = createReporter(process.stderr)
    const { entries, files } = await verifyCopy(config, folder, showEntries(reporter)).finally(() => reporter.end())
    return `The copy is what was sealed: ${countEntries(Number(entries))} in ${files} ${files === 1 ? 'file' : 'files'}.`
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
    ? `The key ${id} signs from now on, and ${signed} stored messages anew. What other keys have sealed can't be verified without them.`
    : `The key ${id} signs already; nothing is changed.`
}
