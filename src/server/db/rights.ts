import pg from 'pg'
import type { accountLevels } from '#contract/security.ts'
import type { Database } from './client.ts'

/** What the server may do with a table, unless `restrictedTables` says less. */
const tableRights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const

/** Tables whose rows are only ever added. Triggers refuse the rest too; a part of a bank line is undone once, a request closed once. */
const restrictedTables: Readonly<Record<string, readonly string[]>> = {
  audit_log: ['SELECT', 'INSERT'],
  audit_chain: ['SELECT', 'INSERT'],
  audit_keys: ['SELECT', 'INSERT'],
  audit_personal: ['SELECT', 'INSERT', 'DELETE'],
  bank_allocations: ['SELECT', 'INSERT', 'UPDATE'],
  approvals: ['SELECT', 'INSERT', 'UPDATE'],
}

const sequenceRights = ['SELECT', 'USAGE'] as const
const allTableRights = [...tableRights, 'TRUNCATE', 'REFERENCES', 'TRIGGER']
const allSequenceRights = [...sequenceRights, 'UPDATE']
const migrations = 'drizzle.__drizzle_migrations'

export const rightsOfTable = (table: string): readonly string[] => restrictedTables[table] ?? tableRights

interface Relation {
  name: string
  kind: string
  held: string[] | null
}

const relationsSql = `
  SELECT c.relname AS name, c.relkind AS kind,
    array_agg(r) FILTER (WHERE $1::regrole IS NOT NULL AND
      CASE c.relkind WHEN 'S' THEN r = ANY($3) AND has_sequence_privilege($1::regrole, c.oid, r)
        ELSE r = ANY($2) AND has_table_privilege($1::regrole, c.oid, r) END) AS held
  FROM pg_class c CROSS JOIN (SELECT DISTINCT unnest($2::text[] || $3::text[]) AS r) AS rights
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
  GROUP BY c.oid ORDER BY c.relname`

const placesSql = `
  SELECT current_database() AS database, current_user AS owner,
    $1::regrole IS NOT NULL AND has_database_privilege($1::regrole, current_database(), 'CONNECT')
      AND has_database_privilege($1::regrole, current_database(), 'TEMPORARY')
      AND has_schema_privilege($1::regrole, 'public', 'USAGE') AS "isAdmitted",
    $1::regrole IS NOT NULL AND has_database_privilege($1::regrole, current_database(), 'CREATE') AS "makesSchemas",
    $1::regrole IS NOT NULL AND has_schema_privilege($1::regrole, 'public', 'CREATE') AS "makesTables",
    to_regclass('${migrations}') IS NULL OR
      ($1::regrole IS NOT NULL AND has_schema_privilege($1::regrole, 'drizzle', 'USAGE')
        AND has_table_privilege($1::regrole, '${migrations}', 'SELECT')) AS "readsMigrations",
    (SELECT count(*)::int FROM pg_default_acl d, aclexplode(d.defaclacl) a
      WHERE d.defaclrole = (SELECT oid FROM pg_roles WHERE rolname = current_user)
        AND d.defaclnamespace = 'public'::regnamespace AND a.grantee = $1::regrole) AS defaults`

interface Places {
  database: string
  owner: string
  isAdmitted: boolean
  makesSchemas: boolean
  makesTables: boolean
  readsMigrations: boolean
  defaults: number
}

/**
 * The statements that give an account what the server needs, and take what it must not have. Run them as the owner of
 * the tables. None if all is as it should be. `role` may be one that is yet to be made.
 */
export async function planRights(client: pg.ClientBase, role: string): Promise<string[]> {
  const to = pg.escapeIdentifier(role)
  const { rows: known } = await client.query<{ id: string | null }>(
    'SELECT (SELECT oid FROM pg_roles WHERE rolname = $1)::regrole::text AS id',
    [role],
  )
  const { rows: relations } = await client.query<Relation>(relationsSql, [
    known[0]!.id,
    allTableRights,
    allSequenceRights,
  ])
  const { rows } = await client.query<Places>(placesSql, [known[0]!.id])
  const places = rows[0]!
  return [
    ...planPlaces(places, to),
    ...relations.flatMap(({ name, kind, held }) => {
      const wanted: readonly string[] = kind === 'S' ? sequenceRights : rightsOfTable(name)
      const missing = wanted.filter((right) => !held?.includes(right))
      const known = kind === 'S' ? allSequenceRights : allTableRights
      const extra = known.filter((right) => held?.includes(right) && !wanted.includes(right))
      const on = `${kind === 'S' ? 'SEQUENCE ' : ''}public.${pg.escapeIdentifier(name)}`
      return [
        ...(missing.length > 0 ? [`GRANT ${missing.join(', ')} ON ${on} TO ${to}`] : []),
        ...(extra.length > 0 ? [`REVOKE ${extra.join(', ')} ON ${on} FROM ${to}`] : []),
      ]
    }),
  ]
}

function planPlaces({ database, owner, ...has }: Places, to: string): string[] {
  const inDatabase = pg.escapeIdentifier(database)
  const forOwner = `ALTER DEFAULT PRIVILEGES FOR ROLE ${pg.escapeIdentifier(owner)} IN SCHEMA public GRANT`
  return [
    ...(has.isAdmitted
      ? []
      : [`GRANT CONNECT, TEMPORARY ON DATABASE ${inDatabase} TO ${to}`, `GRANT USAGE ON SCHEMA public TO ${to}`]),
    ...(has.makesSchemas ? [`REVOKE CREATE ON DATABASE ${inDatabase} FROM ${to}`] : []),
    ...(has.makesTables ? [`REVOKE CREATE ON SCHEMA public FROM PUBLIC, ${to}`] : []),
    // A start without the owner's account compares the applied migrations with its own.
    ...(has.readsMigrations
      ? []
      : [`GRANT USAGE ON SCHEMA drizzle TO ${to}`, `GRANT SELECT ON ${migrations} TO ${to}`]),
    // Tables of later migrations get their rights when they are created.
    ...(has.defaults === tableRights.length + sequenceRights.length
      ? []
      : [
          `${forOwner} ${tableRights.join(', ')} ON TABLES TO ${to}`,
          `${forOwner} ${sequenceRights.join(', ')} ON SEQUENCES TO ${to}`,
        ]),
  ]
}

/** Gives `role` the rights of the server, as the owner of the tables. Changes nothing if it has them. */
export async function grantRights(client: pg.ClientBase, role: string): Promise<void> {
  const statements = await planRights(client, role)
  if (statements.length > 0) await client.query(['BEGIN', ...statements, 'COMMIT'].join(';\n'))
}

export interface DatabaseAccount {
  name: string
  level: (typeof accountLevels)[number]
}

const accountSql = `
  SELECT current_user AS name, CASE
    WHEN r.rolsuper OR pg_has_role(r.oid, 'pg_execute_server_program', 'USAGE') THEN 'superuser'
    WHEN pg_has_role(r.oid, c.relowner, 'USAGE') OR has_schema_privilege('public', 'CREATE')
      OR has_table_privilege(c.oid, 'UPDATE') OR has_table_privilege(c.oid, 'DELETE')
      OR has_table_privilege(c.oid, 'TRUNCATE') THEN 'owner'
    ELSE 'limited' END AS level
  FROM pg_roles r, pg_class c WHERE r.rolname = current_user AND c.oid = 'public.audit_log'::regclass`

/** The account that the server runs with, and how much it could change unseen. */
export async function readAccount({ pool }: Pick<Database, 'pool'>): Promise<DatabaseAccount> {
  const { rows } = await pool.query<DatabaseAccount>({ name: 'database_account', text: accountSql })
  return rows[0]!
}
