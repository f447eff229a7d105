import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../src/server')

/** Tables that more than one folder writes, with all of them. Each has its reason. */
const exceptions: Record<string, string[]> = {
  // Operators sign in and keep their own account there; who may manage them invites, disables and gives roles here.
  admins: ['features/auth', 'features/operators'],
  // Recorded calls take the version of their target in the same statement.
  audit_log: ['core', 'platform'],
  // An import brings them, the pass over the work that waits stores what is proposed.
  bank_lines: ['features/bank/proposals', 'features/bank/statements'],
  // Read from the chain and sent by the platform; who writes holds the chain's cursor.
  chain_transactions: ['features/chain', 'features/transactions'],
  // Every feature enqueues in its own transaction.
  messages: ['core', 'features/messages'],
  // Made here for who is invited; a password that a command sets ends it.
  operator_invitations: ['features/auth', 'features/operators'],
  // A member's are deleted with the member, where the other links to banks are.
  payer_accounts: ['features/bank/allocations', 'features/bank/statements'],
  payer_names: ['features/bank/proposals', 'features/bank/statements'],
  // Every feature enqueues in its own transaction; a member's lose their texts when the member is erased.
  platform_events: ['core', 'features/messages'],
  // Every feature reports in its own transaction, an operator resolves.
  security_events: ['core', 'features/security'],
  // Made by a command; who is disabled loses it.
  sign_in_links: ['features/auth', 'features/operators'],
  // Change lists are repaired before the server has a context; the chain notes how far it goes, the store its keys;
  // which calls want a recent sign-in; a restore forgets the store of the lost server.
  settings: ['core', 'db', 'features/audit-chain', 'features/auth', 'features/backups', 'features/documents'],
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** The tables by the names of their constants. */
const tables = new Map(
  files.flatMap(({ text }) =>
    [...text.matchAll(/export const (\w+) = pgTable\(\s*'(\w+)'/g)].map(([, constant, table]) => [constant!, table!]),
  ),
)

/** The tables that a file writes: by SQL, by Drizzle's verbs, or by the columns of a batch. */
function writtenBy(text: string): string[] {
  const inSql = [...text.matchAll(/(?:INSERT INTO|UPDATE|DELETE FROM)\s+(?:ONLY )?([a-z_]+)\b/g)].map(
    ([, name]) => name!,
  )
  const byConstant = [...text.matchAll(/(?:\.(?:insert|update|delete)|writableColumns)\((\w+)\)/g)]
  const names = [...inSql, ...byConstant.map(([, constant]) => tables.get(constant!) ?? '')]
  return names.filter((name) => [...tables.values()].includes(name))
}

test('each table is written by one folder, but for the named exceptions', () => {
  const writers: Record<string, Set<string>> = {}
  for (const { file, text } of files.filter((each) => !each.file.startsWith('db/tables/')))
    for (const table of writtenBy(text)) (writers[table] ??= new Set()).add(dirname(file))
  const shared = Object.entries(writers).filter(([, folders]) => folders.size > 1)
  expect(tables.size).toBeGreaterThan(30)
  expect(Object.fromEntries(shared.map(([table, folders]) => [table, [...folders].toSorted()]))).toEqual(exceptions)
})
