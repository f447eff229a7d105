import { parseArgs } from 'node:util'
import { RowId } from '#contract/common.ts'
import type { Ctx } from '#server/context.ts'
import { generatePassword } from '#server/features/auth/passwords.ts'
import {
  createAdmin,
  endAllSessions,
  endSessionById,
  listAdmins,
  listSessions,
  setPassword,
} from '#server/features/auth/service.ts'
import { CommandError } from './command-error.ts'
import { readPassword } from './read-password.ts'
import { table } from './table.ts'

export const usage = `Usage: npm run admin -- <command>

  create <username>            make an admin; asks for the password
  set-password <username>      set a new password, end the admin's sessions and open the account's locks
      --generate               with both: make up a password and show it once
  list                         all admins
  sessions [username]          who is signed in, from where
  end-session <id>             end one session (its id: sessions)
  end-session --all <username> end all sessions of an admin
  help                         this text

A password is asked for without showing it; where there is no terminal it is read from the input's first line.
The commands work on the database of DATA_DIR or DATABASE_URL, whether the console is running or not.`

/** A command, its words checked. Runs against a database; answers what to print. */
export type Command = (ctx: Ctx) => Promise<string>

const options = {
  generate: { type: 'boolean' },
  all: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const wrong = (problem: string) => new CommandError(`${problem}\n\n${usage}`, 2)

function readWords(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

/** Reads the command line before anything is started. Null means help; throws CommandError for what is no command. */
export function readCommand(args: string[]): Command | null {
  const { values, positionals } = readWords(args)
  const [name = 'help', ...words] = positionals
  if (values.help || name === 'help') return null
  const only = (allowed: 'generate' | 'all' | 'none', least: number, most: number) => {
    for (const option of ['generate', 'all'] as const)
      if (values[option] && option !== allowed) throw wrong(`${name} knows no --${option}`)
    if (words.length < least) throw wrong(`${name} needs ${least === 1 ? 'one more word' : 'more words'}`)
    if (words.length > most) throw wrong(`${name} does not know what to do with "${words[most]}"`)
    return words[0]
  }
  switch (name) {
    case 'create':
      return create(only('generate', 1, 1)!, values.generate === true)
    case 'set-password':
      return changePassword(only('generate', 1, 1)!, values.generate === true)
    case 'list':
      only('none', 0, 0)
      return showAdmins
    case 'sessions':
      return showSessions(only('none', 0, 1))
    case 'end-session':
      return values.all ? endAll(only('all', 1, 1)!) : endOne(only('all', 1, 1)!)
    default:
      throw wrong(`There is no command "${name}"`)
  }
}

const choosePassword = async (isGenerated: boolean) =>
  isGenerated ? generatePassword() : readPassword(process.stdin, process.stderr)

const shownOnce = (password: string, isGenerated: boolean) =>
  isGenerated ? `\nPassword: ${password}\nIt is shown this once.` : ''

const create =
  (username: string, isGenerated: boolean): Command =>
  async (ctx) => {
    const password = await choosePassword(isGenerated)
    const admin = await createAdmin(ctx, username, password)
    return `Admin ${admin.username} can sign in now.${shownOnce(password, isGenerated)}`
  }

const changePassword =
  (username: string, isGenerated: boolean): Command =>
  async (ctx) => {
    const password = await choosePassword(isGenerated)
    const { endedSessions } = await setPassword(ctx, username, password)
    return `The password of ${username} is set; ${counted(endedSessions)} ended.${shownOnce(password, isGenerated)}`
  }

const showAdmins: Command = async (ctx) => {
  const admins = await listAdmins(ctx)
  if (admins.length === 0) return 'There is no admin; the first start makes one, or: npm run admin -- create <username>'
  return table(
    ['username', 'created', 'last sign-in', 'sessions'],
    admins.map((admin) => [admin.username, admin.createdAt, admin.lastSignInAt ?? 'never', String(admin.openSessions)]),
  )
}

const showSessions =
  (username: string | undefined): Command =>
  async (ctx) => {
    const sessions = await listSessions(ctx, username)
    if (sessions.length === 0) return 'Nobody is signed in.'
    return table(
      ['id', 'username', 'since', 'last active', 'address', 'browser'],
      sessions.map((s) => [s.id, s.username, s.createdAt, s.lastActiveAt, s.ipAddress, s.userAgent.slice(0, 60)]),
    )
  }

function endOne(id: string): Command {
  if (!RowId.safeParse(id).success)
    throw wrong(`"${id}" is no session id; with a username: end-session --all <username>`)
  return async (ctx) => `The session of ${(await endSessionById(ctx, id)).username} is ended.`
}

const endAll =
  (username: string): Command =>
  async (ctx) =>
    `${counted(await endAllSessions(ctx, username))} of ${username} ended.`

const counted = (sessions: number) => (sessions === 1 ? '1 session' : `${sessions} sessions`)
