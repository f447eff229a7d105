import { parseArgs } from 'node:util'
import { roleLabels, roleNames, type Role } from '#contract/permissions.ts'
import { RowId } from '#contract/schemas/common.ts'
import {
  generatePassword,
  createAdmin,
  endAllSessions,
  endEverySession,
  endSessionById,
  listAdmins,
  listSessions,
  setPassword,
} from '#server/features/auth/service.ts'
import { disableOperator, enableOperator } from '#server/features/operators/service.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { accessUsage, readAccessCommand } from './access-commands.ts'
import { alarmUsage, readAlarmCommand } from './alarm-commands.ts'
import { auditUsage, readAuditCommand } from './audit-commands.ts'
import { backupUsage, readBackupCommand, readRestoreCommand } from './backup-commands.ts'
import type { Command } from './command.ts'
import { countSessions } from './count-sessions.ts'
import { databaseUsage, readDatabaseCommand } from './database-commands.ts'
import { documentKeyUsage, readDocumentKeyCommand } from './document-key-commands.ts'
import { documentStoreUsage, readDocumentStoreCommand } from './document-store-commands.ts'
import { endpointUsage, readEndpointCommand } from './endpoint-commands.ts'
import { eraseCommand } from './erase-command.ts'
import { eventUsage, readEventCommand } from './event-commands.ts'
import { readKeyCommand } from './key-commands.ts'
import { readPassword } from './read-password.ts'
import { readHoldCommand, readRetentionCommand, retentionUsage } from './retention-commands.ts'
import { breakGlassCommand, resetFactorsCommand, signInLinkCommand, unlinkCommand } from './sign-in-commands.ts'
import { formatTable } from './table.ts'

export const usage = `Usage: npm run admin -- <command>

  create <username>            make an admin; asks for the password
      --role finance           what the admin may do: viewer, reviewer, finance or super_admin; super_admin when nothing
                               is said
      --break-glass            for emergencies: the password signs in although LOCAL_SIGN_IN is off
  set-password <username>      set a new password, end the admin's sessions and open the account's locks
      --generate               with both: make up a password and show it once
  sign-in-link <username>      a link to open in the browser of an admin who is locked out by the failures of others;
                               valid once, for 15 minutes; the password is still needed
  reset-factors <username>     take away lost second factors and recovery codes and end the admin's sessions; the
                               password alone signs in then
  break-glass <username>       let an admin's password sign in although LOCAL_SIGN_IN is off
      --off                    no longer
  unlink-provider <username>   forget the admin's account at the sign-in provider and end the admin's sessions; an
                               invitation or the Account screen links another
  list                         all admins: role, state, sessions
  disable <username>           end the admin's sessions and refuse further ones; not the last active super admin
  enable <username>            let a disabled admin sign in again
  sessions [username]          who is signed in, from where
  end-session <id>             end one session (its id: sessions)
  end-session --all <username> end all sessions of an admin
  end-session --everyone       end all sessions of all admins

  key create <name>            make a key of the platform API and show it once
      --expires 90d            when it ends: in so many days, or with the beginning of a day (2027-01-31, UTC)
      --rate 200               how many calls a second it may make; 50 when nothing is said
      --scope orders.read      what it may do, repeated or separated by commas (docs/platform-api.md lists the scopes);
                               standard, all scopes but members.erase and history, when nothing is
                               said
      --from 203.0.113.0/24    a network or address that it may be used from, repeated or separated by commas
  key list                     all keys: state, end, last use, scopes, networks
  key revoke <name>            refuse a key from its next call on

${eventUsage}

${endpointUsage}

${auditUsage}

${alarmUsage}

${accessUsage}

${databaseUsage}

${backupUsage}

${documentKeyUsage}

${documentStoreUsage}

  erase <member>               remove what is stored of a member, for ever; orders and payments keep the id
      --yes                    say that it is meant

${retentionUsage}

  help                         this text

A password is asked for without showing it; where there is no terminal it is read from the input's first line. Whoever
signs in with it chooses another one before anything else opens.
The commands work on the database of DATA_DIR or DATABASE_URL, whether the console is running or not.`

const usageError = (problem: string) => new CommandError(problem, 2)

/** Parses the command line before anything starts. Null means help. Throws CommandError for unknown commands. */
export function readCommand(args: string[]): Command | null {
  // Options may come before the command, which is the first word without a dash.
  const at = args.findIndex((word) => !word.startsWith('-'))
  const name = args[at] ?? args[0] ?? 'help'
  if (name === 'help' || args.includes('--help') || args.includes('-h')) return null
  try {
    return parseCommand(
      name,
      args.filter((_, each) => each !== at),
    )
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === 2) throw usageError(`${error.message}\n\n${usage}`)
    throw error
  }
}

/** Commands that consist of more words, each read in its own file. */
const groups: Readonly<Record<string, ((words: string[]) => Command) | undefined>> = {
  key: readKeyCommand,
  access: readAccessCommand,
  alarms: readAlarmCommand,
  audit: readAuditCommand,
  db: readDatabaseCommand,
  backup: readBackupCommand,
  restore: readRestoreCommand,
  retention: readRetentionCommand,
  hold: readHoldCommand,
  keys: readDocumentKeyCommand,
  documents: readDocumentStoreCommand,
  endpoint: readEndpointCommand,
  events: readEventCommand,
}

function parseCommand(name: string, words: string[]): Command {
  switch (name) {
    case 'create': {
      const { role, rest } = takeRole(words)
      const { word, isSet } = parseWords(name, rest, ['generate', 'break-glass'], 1, 1)
      return createAdminCommand(word!, role, isSet('generate'), isSet('break-glass'))
    }
    case 'set-password': {
      const { word, isSet } = parseWords(name, words, ['generate'], 1, 1)
      return changePasswordCommand(word!, isSet('generate'))
    }
    case 'disable':
      return disableCommand(parseWords(name, words, [], 1, 1).word!)
    case 'enable':
      return enableCommand(parseWords(name, words, [], 1, 1).word!)
    case 'sign-in-link':
      return signInLinkCommand(parseWords(name, words, [], 1, 1).word!)
    case 'reset-factors':
      return resetFactorsCommand(parseWords(name, words, [], 1, 1).word!)
    case 'break-glass': {
      const { word, isSet } = parseWords(name, words, ['off'], 1, 1)
      return breakGlassCommand(word!, !isSet('off'))
    }
    case 'unlink-provider':
      return unlinkCommand(parseWords(name, words, [], 1, 1).word!)
    case 'list':
      parseWords(name, words, [], 0, 0)
      return listAdminsCommand
    case 'sessions':
      return listSessionsCommand(parseWords(name, words, [], 0, 1).word)
    case 'end-session':
      return parseEndSession(words)
    case 'erase': {
      const { word, isSet } = parseWords(name, words, ['yes'], 1, 1)
      return eraseCommand(word!, isSet('yes'))
    }
    default: {
      const read = groups[name]
      if (!read) throw usageError(`There is no command "${name}"`)
      return read(words)
    }
  }
}

function parseEndSession(words: string[]): Command {
  const { word, isSet } = parseWords('end-session', words, ['all', 'everyone'], 0, 1)
  if (isSet('everyone') && word === undefined && !isSet('all')) return endEveryCommand
  if (isSet('everyone')) throw usageError('end-session --everyone stands alone')
  if (word === undefined) throw usageError('end-session needs one more word')
  return isSet('all') ? endAllCommand(word) : endSessionCommand(word)
}

const isRole = (word: string | undefined): word is Role => roleNames.some((role) => role === word)

/** Takes `--role` and its value out of the words. */
function takeRole(words: string[]): { role: Role; rest: string[] } {
  const at = words.findIndex((word) => word === '--role' || word.startsWith('--role='))
  if (at < 0) return { role: 'super_admin', rest: words }
  const isJoined = words[at] !== '--role'
  const role = isJoined ? words[at]?.slice('--role='.length) : words[at + 1]
  if (!isRole(role)) throw usageError(`--role is one of ${roleNames.join(', ')}`)
  return { role, rest: words.toSpliced(at, isJoined ? 1 : 2) }
}

type Flag = 'generate' | 'all' | 'everyone' | 'yes' | 'break-glass' | 'off'

/** Parses the words of a command and the options that are only set or not. */
function parseWords(name: string, args: string[], flags: Flag[], least: number, most: number) {
  const { values, positionals } = parseFlags(args, flags)
  if (positionals.length < least) throw usageError(`${name} needs one more word`)
  if (positionals.length > most) throw usageError(`${name} does not know what to do with "${positionals[most]}"`)
  return { word: positionals[0], isSet: (flag: Flag) => values[flag] === true }
}

function parseFlags(args: string[], flags: Flag[]) {
  const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }]))
  try {
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error))
  }
}

const choosePassword = async (isGenerated: boolean) =>
  isGenerated ? generatePassword() : readPassword(process.stdin, process.stderr)

const describeGenerated = (password: string, isGenerated: boolean) =>
  isGenerated ? `\nPassword: ${password}\nIt is shown this once.` : ''

const createAdminCommand =
  (username: string, role: Role, isGenerated: boolean, breakGlass: boolean): Command =>
  async (ctx) => {
    const password = await choosePassword(isGenerated)
    const admin = await createAdmin(ctx, username, password, role, breakGlass)
    if (!ctx.config.isLocalSignInOpen && !breakGlass)
      return `Admin ${admin.username} is made, but passwords are closed here (LOCAL_SIGN_IN=off). For emergencies: npm run admin -- break-glass ${username}${describeGenerated(password, isGenerated)}`
    return `${roleLabels[role]} ${admin.username} can sign in now.${describeGenerated(password, isGenerated)}`
  }

const changePasswordCommand =
  (username: string, isGenerated: boolean): Command =>
  async (ctx) => {
    const password = await choosePassword(isGenerated)
    const { endedSessions } = await setPassword(ctx, username, password)
    return [
      `The password of ${username} is set; ${countSessions(endedSessions)} ended.${describeGenerated(password, isGenerated)}`,
      `If sign-in stays closed because others go on failing: npm run admin -- sign-in-link ${username}`,
    ].join('\n')
  }

function describeState(admin: { disabledAt: string | null; hasJoined: boolean; breakGlass: boolean }): string {
  if (admin.disabledAt) return 'disabled'
  if (!admin.hasJoined) return 'invited'
  return admin.breakGlass ? 'active, break-glass' : 'active'
}

const listAdminsCommand: Command = async (ctx) => {
  const admins = await listAdmins(ctx)
  if (admins.length === 0) return 'There is no admin; the first start makes one, or: npm run admin -- create <username>'
  return formatTable(
    ['username', 'role', 'state', 'created', 'last sign-in', 'sessions'],
    admins.map((admin) => [
      admin.username,
      roleLabels[admin.role],
      describeState(admin),
      admin.createdAt,
      admin.lastSignInAt ?? 'never',
      String(admin.openSessions),
    ]),
  )
}

const listSessionsCommand =
  (username: string | undefined): Command =>
  async (ctx) => {
    const sessions = await listSessions(ctx, username)
    if (sessions.length === 0) return 'Nobody is signed in.'
    return formatTable(
      ['id', 'username', 'since', 'last active', 'address', 'browser'],
      sessions.map((s) => [s.id, s.username, s.createdAt, s.lastActiveAt, s.ipAddress, s.userAgent.slice(0, 60)]),
    )
  }

function endSessionCommand(id: string): Command {
  if (!RowId.safeParse(id).success)
    throw usageError(`"${id}" is no session id; with a username: end-session --all <username>`)
  return async (ctx) => `The session of ${(await endSessionById(ctx, id)).username} is ended.`
}

const endAllCommand =
  (username: string): Command =>
  async (ctx) =>
    `${countSessions(await endAllSessions(ctx, username))} of ${username} ended.`

const endEveryCommand: Command = async (ctx) => `${countSessions(await endEverySession(ctx))} of all admins ended.`

const disableCommand =
  (username: string): Command =>
  async (ctx) =>
    `${(await disableOperator(ctx, { username }, null)).username} is disabled and signed out everywhere.`

const enableCommand =
  (username: string): Command =>
  async (ctx) =>
    `${(await enableOperator(ctx, { username }, null)).username} can sign in again.`
