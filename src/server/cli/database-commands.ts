import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Config } from '#server/core/config.ts'
import { readUrl } from '#server/db/connection.ts'
import { connectOnce } from '#server/db/own-server.ts'
import { planRights, readAccount } from '#server/db/rights.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { type Command, defineCommand } from './command.ts'

const embedded =
  'The embedded database has its accounts already: console_owner owns the tables, the server runs as console.'

/** Statements for an account that is the server's alone. The present account goes on owning the tables. */
const separateAccounts =
  (wanted: string | undefined, isApplied: boolean): Command =>
  async ({ config, database }) => {
    const { databaseUrl, databaseOwnerUrl } = config
    if (!databaseUrl) return embedded
    const { name: present, level } = await readAccount(database)
    const direct = findDirect(config)
    if (level === 'limited' && !databaseOwnerUrl)
      return `The account "${present}" has only the rights that the server needs; nothing is to be done.`
    const role = wanted ?? (databaseOwnerUrl ? present : `${present}_server`)
    const client = await connectOnce(readUrl(direct.url!), direct.setting)
    try {
      return await (isApplied ? applyRoles(client, role, config) : printRoles(client, role))
    } finally {
      await client.end()
    }
  }

/** The account that makes roles, past a pooler. */
function findDirect({ databaseUrl, databaseDirectUrl, databaseOwnerUrl }: Config) {
  if (databaseOwnerUrl) return { url: databaseOwnerUrl, setting: 'DATABASE_OWNER_URL' } as const
  if (databaseDirectUrl) return { url: databaseDirectUrl, setting: 'DATABASE_DIRECT_URL' } as const
  return { url: databaseUrl, setting: 'DATABASE_URL' } as const
}

async function hasRole(client: pg.Client, role: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role])
  return rowCount === 1
}

const createRole = (role: string, password: string) =>
  `CREATE ROLE ${pg.escapeIdentifier(role)} LOGIN PASSWORD ${pg.escapeLiteral(password)}`

async function printRoles(client: pg.Client, role: string): Promise<string> {
  const statements = [
    ...((await hasRole(client, role)) ? [] : [createRole(role, '<password>')]),
    ...(await planRights(client, role)),
  ]
  if (statements.length === 0) return `The account "${role}" has the rights that the server needs, and no more.`
  return [
    `-- The account of the server: "${role}". Run this as "${client.user}", which owns the tables and goes on migrating them;`,
    '-- where it may make no roles, let an administrator run the first line. Or add --apply.',
    ...statements.map((statement) => `${statement};`),
    '-- Then set DATABASE_URL to the new account, and DATABASE_OWNER_URL to the present one.',
  ].join('\n')
}

async function applyRoles(client: pg.Client, role: string, config: Config): Promise<string> {
  const isNew = !(await hasRole(client, role))
  const password = randomBytes(24).toString('base64url')
  await client.query('BEGIN')
  if (isNew) await client.query(createRole(role, password)).catch(explainNoRight)
  for (const statement of await planRights(client, role)) await client.query(statement)
  await client.query('COMMIT')
  if (!isNew) return `The account "${role}" has the rights that the server needs, and no more.`
  const { databaseUrl, databaseDirectUrl } = config
  const setAccount = (name: string, address: string) => {
    const url = new URL(address)
    url.username = encodeURIComponent(role)
    url.password = password
    return `${name}='${url.href}'`
  }
  return [
    `The account "${role}" is made. Set these and restart; the password is shown this once:`,
    setAccount('DATABASE_URL', databaseUrl!),
    ...(databaseDirectUrl ? [setAccount('DATABASE_DIRECT_URL', databaseDirectUrl)] : []),
    `DATABASE_OWNER_URL=<the present ${databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'}>`,
  ].join('\n')
}

function explainNoRight(error: unknown): never {
  if (error instanceof pg.DatabaseError && error.code === '42501')
    throw new CommandError('This account may make no roles: let an administrator run what "db roles" prints', 1)
  throw error
}

export const databaseCommands = [
  defineCommand(
    'db roles',
    'what gives the server a database account of its own, as SQL',
    ({ name, apply = false }) => separateAccounts(name, apply),
    {
      name: ['<account>', 'its name; <present account>_server when nothing is said'],
      apply: 'make the account and give it its rights; shows its password once',
    },
  ),
]
