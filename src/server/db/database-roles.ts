import type { Database } from './client.ts'

/** `changes`: writes rows of some table. `owner`: could also change tables, or what is only ever added. */
export type RoleLevel = 'superuser' | 'owner' | 'changes' | 'reads'

export interface DatabaseRole {
  name: string
  level: RoleLevel
  signsIn: boolean
  /** Copies the whole database, whatever its rights on tables. */
  replicates: boolean
  /** Connections to this database now. */
  connections: number
  /** Whether this console works as it. */
  isServer: boolean
}

const rolesSql = `
  WITH tables AS (
    SELECT oid, relowner, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
  ), roles AS (
    SELECT r.*, r.rolsuper OR pg_has_role(r.oid, 'pg_execute_server_program', 'USAGE')
        OR pg_has_role(r.oid, 'pg_write_server_files', 'USAGE') OR pg_has_role(r.oid, 'pg_read_server_files', 'USAGE') AS is_super,
      EXISTS (SELECT FROM tables AS t WHERE pg_has_role(r.oid, t.relowner, 'USAGE'))
        OR has_schema_privilege(r.oid, 'public', 'CREATE')
        OR EXISTS (SELECT FROM tables AS t WHERE t.relname IN ('audit_log', 'audit_chain')
          AND (has_any_column_privilege(r.oid, t.oid, 'UPDATE') OR has_table_privilege(r.oid, t.oid, 'DELETE, TRUNCATE, TRIGGER')))
        AS owns,
      EXISTS (SELECT FROM tables AS t WHERE has_any_column_privilege(r.oid, t.oid, 'INSERT, UPDATE')
        OR has_table_privilege(r.oid, t.oid, 'DELETE, TRUNCATE')) AS changes,
      EXISTS (SELECT FROM tables AS t WHERE has_any_column_privilege(r.oid, t.oid, 'SELECT')) AS reads
    FROM pg_roles AS r
    -- The roles of PostgreSQL itself count for those that have them.
    WHERE r.rolname NOT LIKE 'pg\\_%'
  )
  SELECT rolname AS name, rolcanlogin AS "signsIn", rolreplication AS replicates, rolname = current_user AS "isServer",
    (SELECT count(*)::int FROM pg_stat_activity AS s WHERE s.usesysid = roles.oid AND s.datname = current_database())
      AS connections,
    CASE WHEN is_super THEN 'superuser' WHEN owns THEN 'owner' WHEN changes THEN 'changes' ELSE 'reads' END AS level
  FROM roles
  WHERE (is_super OR owns OR changes OR reads OR rolreplication) AND (is_super OR has_database_privilege(oid, current_database(), 'CONNECT'))
    -- One that nobody signs in as is listed for owning the tables alone.
    AND (rolcanlogin OR oid IN (SELECT relowner FROM tables))
  ORDER BY array_position(ARRAY['superuser', 'owner', 'changes', 'reads'],
    CASE WHEN is_super THEN 'superuser' WHEN owns THEN 'owner' WHEN changes THEN 'changes' ELSE 'reads' END), rolname`

/** The roles of the database server that read or change what this console stores, the mightiest first. */
export async function listDatabaseRoles({ pool }: Pick<Database, 'pool'>): Promise<DatabaseRole[]> {
  return (await pool.query<DatabaseRole>(rolesSql)).rows
}
