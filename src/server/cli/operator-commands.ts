import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { roleLabels, roleNames, type Role } from '#contract/permissions.ts'
import { RowId } from '#contract/schemas/common.ts'
import {
  generatePassword,
  createAdmin,
  createSignInLink,
  endAllSessions,
  endEverySession,
  endSessionById,
  linkMinutes,
  listAdmins,
  listSessions,
  setBreakGlass,
  setPassword,
} from '#server/features/auth/service.ts'
import { unlinkProvider } from '#server/features/oidc/service.ts'
import { disableOperator, enableOperator, resetFactors } from '#server/features/operators/service.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { type Command, defineCommand, usageError } from './command.ts'
import { count, formatTable } from './output.ts'

/** Reads a new password: asks twice without echo in a terminal, otherwise reads the first line. Throws CommandError. */
async function readPassword(input: NodeJS.ReadStream, prompts: NodeJS.WriteStream): Promise<string> {
  if (!input.isTTY) return readFirstLine(input)
  const password = await promptHidden('New password (15 to 128 characters): ', input, prompts)
  if ((await promptHidden('The same again: ', input, prompts)) !== password)
    throw new CommandError('The two passwords differ; nothing was changed')
  return password
}

async function readFirstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) text += String(chunk)
  const [line = ''] = text.split(/\r?\n/)
  if (!line) throw new CommandError('No password came in; pipe one in, or let one be made with --generate')
  return line
}

async function promptHidden(question: string, input: NodeJS.ReadStream, prompts: NodeJS.WriteStream): Promise<string> {
  // Line editing works as usual, but its echo is discarded. The terminal's echo is off before the question appears.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output, terminal: true, historySize: 0 })
  prompts.write(question)
  const leaving = new AbortController()
  try {
    const typed = once(lines, 'line', { signal: leaving.signal })
    lines.once('close', () => leaving.abort())
    const [line] = await typed
    return String(line)
  } catch {
    throw new CommandError('Cancelled; nothing was changed')
  } finally {
    lines.close()
    prompts.write('\n')
  }
}

const countSessions = (sessions: number) => count(sessions, 'session')

const isRole = (word: string): word is Role => roleNames.some((role) => role === word)

function readRole(word: string): Role {
  if (isRole(word)) return word
  throw usageError(`--role is one of ${roleNames.join(', ')}`)
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

const changePassword =
  (username: string, isGenerated: boolean): Command =>
  async (ctx) => {
    const password = await choosePassword(isGenerated)
    const { endedSessions } = await setPassword(ctx, username, password)
    return [
      `The password of ${username} is set; ${countSessions(endedSessions)} ended.${describeGenerated(password, isGenerated)}`,
      `If sign-in stays closed because others go on failing: npm run admin -- sign-in-link ${username}`,
    ].join('\n')
  }

const makeSignInLink =
  (username: string): Command =>
  async (ctx) =>
    [
      `Open this in the browser of ${username}, then sign in with the password as usual. The address is that of PUBLIC_URL,`,
      'HOST and PORT as they are set here; where the console runs at another, put its own before the path:',
      await createSignInLink(ctx, username),
      `It works once, until ${linkMinutes} minutes from now.`,
    ].join('\n')

const removeFactors =
  (username: string): Command =>
  async (ctx) => {
    const { operator, factors, endedSessions } = await resetFactors(ctx, { username }, null)
    return `${count(factors, 'second factor')} of ${operator.username} removed; ${countSessions(endedSessions)} ended. The password alone signs in now.`
  }

const changeBreakGlass =
  (username: string, isOn: boolean): Command =>
  async (ctx) => {
    const isChanged = await setBreakGlass(ctx, username, isOn)
    const state = isOn ? 'signs in by password also where' : 'does not sign in by password where'
    return `${username} ${isChanged ? 'now ' : ''}${state} LOCAL_SIGN_IN is off.`
  }

const forgetProvider =
  (username: string): Command =>
  async (ctx) => {
    const { username: name, isUnlinked } = await unlinkProvider(ctx, username)
    return isUnlinked
      ? `${name} is no longer linked to the sign-in provider.`
      : `${name} is linked to no sign-in provider.`
  }

function describeState(admin: { disabledAt: string | null; hasJoined: boolean; breakGlass: boolean }): string {
  if (admin.disabledAt) return 'disabled'
  if (!admin.hasJoined) return 'invited'
  return admin.breakGlass ? 'active, break-glass' : 'active'
}

const showAdmins: Command = async (ctx) => {
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

const showSessions =
  (username: string | undefined): Command =>
  async (ctx) => {
    const sessions = await listSessions(ctx, username)
    if (sessions.length === 0) return 'Nobody is signed in.'
    return formatTable(
      ['id', 'username', 'since', 'last active', 'address', 'browser'],
      sessions.map((s) => [s.id, s.username, s.createdAt, s.lastActiveAt, s.ipAddress, s.userAgent.slice(0, 60)]),
    )
  }

interface EndedSessions {
  id?: string
  all?: string
  everyone?: boolean
}

function endSessions({ id, all: username, everyone }: EndedSessions): Command {
  if ([id, username, everyone].filter(Boolean).length !== 1)
    throw usageError('end-session needs one of: the id of a session, --all <username>, --everyone')
  if (everyone) return async (ctx) => `${countSessions(await endEverySession(ctx))} of all admins ended.`
  if (username) return async (ctx) => `${countSessions(await endAllSessions(ctx, username))} of ${username} ended.`
  if (!RowId.safeParse(id).success)
    throw usageError(`"${id}" is not a session id; with a username: end-session --all <username>`)
  return async (ctx) => `The session of ${(await endSessionById(ctx, id!)).username} is ended.`
}

const disable =
  (username: string): Command =>
  async (ctx) =>
    `${(await disableOperator(ctx, { username }, null)).username} is disabled and signed out everywhere.`

const enable =
  (username: string): Command =>
  async (ctx) =>
    `${(await enableOperator(ctx, { username }, null)).username} can sign in again.`

const generate = 'make up a password and show it once'

export const operatorCommands = [
  defineCommand(
    'create <username>',
    'make an admin; asks for the password',
    ({ username, role = 'super_admin', generate: isGenerated = false, 'break-glass': isBreakGlass = false }) =>
      createAdminCommand(username, readRole(role), isGenerated, isBreakGlass),
    {
      role: ['finance', `what the admin may do: ${roleNames.join(', ')}; super_admin when nothing is said`],
      'break-glass': 'for emergencies: the password signs in although LOCAL_SIGN_IN is off',
      generate,
    },
  ),
  defineCommand(
    'set-password <username>',
    "set a new password, end the admin's sessions and open the account's locks",
    ({ username, generate: isGenerated = false }) => changePassword(username, isGenerated),
    { generate },
  ),
  defineCommand(
    'sign-in-link <username>',
    'a link to open in the browser of an admin who is locked out by the failures of others; valid once, for 15 minutes; the password is still needed',
    ({ username }) => makeSignInLink(username),
  ),
  defineCommand(
    'reset-factors <username>',
    "take away lost second factors and recovery codes and end the admin's sessions; the password alone signs in then",
    ({ username }) => removeFactors(username),
  ),
  defineCommand(
    'break-glass <username>',
    "let an admin's password sign in although LOCAL_SIGN_IN is off",
    ({ username, off = false }) => changeBreakGlass(username, !off),
    { off: 'no longer' },
  ),
  defineCommand(
    'unlink-provider <username>',
    "forget the admin's account at the sign-in provider and end the admin's sessions; an invitation or the Account screen links another",
    ({ username }) => forgetProvider(username),
  ),
  defineCommand('list', 'all admins: role, state, sessions', () => showAdmins),
  defineCommand(
    'disable <username>',
    "end the admin's sessions and refuse further ones; not the last active super admin",
    ({ username }) => disable(username),
  ),
  defineCommand('enable <username>', 'let a disabled admin sign in again', ({ username }) => enable(username)),
  defineCommand('sessions [username]', 'who is signed in, from where', ({ username }) => showSessions(username)),
  defineCommand('end-session [id]', 'end one session (its id: sessions)', endSessions, {
    all: ['<username>', 'instead, all sessions of an admin'],
    everyone: 'instead, all sessions of all admins',
  }),
]
