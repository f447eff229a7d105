import { createHmac } from 'node:crypto'
import pg from 'pg'
import { takeAdvisoryLock } from '#server/db/advisory-lock.ts'
import { connectOnce } from '#server/db/own-server.ts'

/** Owns and migrates the tables. Nobody signs in as it. */
export const ownerRole = 'console_owner'
/** The account of the server: reads and writes rows, and changes no table. */
export const serverRole = 'console'

type Connection = pg.ClientConfig & { user: string; password: string }

export interface EmbeddedAccounts {
  owner: pg.ClientConfig
  server: Connection
}

/** The accounts on the database of `connection`, which is the first account of the cluster, a superuser. */
export const accountsOf = (connection: Connection): EmbeddedAccounts => ({
  owner: { ...connection, options: `-c role=${ownerRole}` },
  server: { ...connection, user: serverRole, password: derivePassword(connection.password) },
})

const derivePassword = (password: string) => createHmac('sha256', password).update(serverRole).digest('base64url')

/** What has another owner than the role: tables with their sequences, functions, types and schemas of this console. */
const foreignSql = `
  WITH own AS (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'drizzle')),
    extended AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e')
  SELECT format('ALTER %s %s OWNER TO ${ownerRole}', kind, name) AS statement FROM (
    SELECT 1 AS step, 'DATABASE' AS kind, quote_ident(datname) AS name, datdba AS owner, 'pg_database'::regclass AS classid, oid
      FROM pg_database WHERE datname = current_database()
    UNION ALL SELECT 2, 'SCHEMA', quote_ident(nspname), nspowner, 'pg_namespace'::regclass, oid
      FROM pg_namespace WHERE oid IN (SELECT oid FROM own) AND nspname <> 'public'
    UNION ALL SELECT 3, CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END,
      format('%I.%I', relnamespace::regnamespace, relname), relowner, 'pg_class'::regclass, oid
      FROM pg_class AS c WHERE relnamespace IN (SELECT oid FROM own) AND relkind IN ('r', 'p', 'v', 'm', 'S')
        -- The sequence of a column goes with its table.
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i'))
    UNION ALL SELECT 4, 'ROUTINE', format('%I.%I(%s)', pronamespace::regnamespace, proname, pg_get_function_identity_arguments(oid)),
      proowner, 'pg_proc'::regclass, oid FROM pg_proc WHERE pronamespace IN (SELECT oid FROM own) AND prokind <> 'a'
    UNION ALL SELECT 5, 'TYPE', format('%I.%I', typnamespace::regnamespace, typname), typowner, 'pg_type'::regclass, oid
      FROM pg_type WHERE typnamespace IN (SELECT oid FROM own) AND typtype IN ('d', 'e', 'r')
  ) AS object
  WHERE owner IS DISTINCT FROM (SELECT oid FROM pg_roles WHERE rolname = '${ownerRole}')
    AND NOT EXISTS (SELECT FROM extended AS e WHERE e.classid = object.classid AND e.objid = object.oid)
  ORDER BY step`

/**
 * Makes both roles, and gives what the database holds to the owner, also in a database of a version before there were
 * roles. Changes nothing the next time.
 */
export async function prepareRoles(connection: Connection): Promise<EmbeddedAccounts> {
  const client = await connectOnce({ ...connection, application_name: 'back-office roles' })
  const accounts = accountsOf(connection)
  try {
    await takeAdvisoryLock(client, 'database roles')
    const { rows } = await client.query<{ name: string }>('SELECT rolname AS name FROM pg_roles')
    const known = new Set(rows.map(({ name }) => name))
    const makeRoles = [
      ...(known.has(ownerRole) ? [] : [`CREATE ROLE ${ownerRole} NOLOGIN`]),
      ...(known.has(serverRole)
        ? []
        : [`CREATE ROLE ${serverRole} LOGIN PASSWORD ${pg.escapeLiteral(accounts.server.password)}`]),
    ]
    const foreign = await client.query<{ statement: string }>(foreignSql)
    const statements = [...makeRoles, ...foreign.rows.map(({ statement }) => statement)]
    if (statements.length > 0) await client.query(['BEGIN', ...statements, 'COMMIT'].join(';\n'))
  } finally {
    await client.end()
  }
  return accounts
}
