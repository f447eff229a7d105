import type pg from 'pg'
import { SettingError } from '#server/core/config.ts'
import { releaseAdvisoryLock, takeAdvisoryLock, tryAdvisoryLock } from './advisory-lock.ts'

/** A schema that is there from a restore's first step to its last, so that no half of a console is ever started. */
const markSchema = 'unfinished_restore'

async function isMarked(client: pg.ClientBase): Promise<boolean> {
  return (await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [markSchema])).rowCount === 1
}

/** Throws SettingError in a database whose restore is not over. */
export async function requireNoRestore(client: pg.ClientBase): Promise<void> {
  if (await isMarked(client))
    throw new SettingError(
      'a restore of this database is under way or was cut off: let it end, or begin it again with ' +
        '"npm run admin -- restore" and its folder; nothing of it is used before it is whole',
    )
}

const ownObject = `NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = o.oid AND d.deptype = 'e')`

const contentSql = `
  SELECT EXISTS (SELECT FROM pg_class AS o WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND ${ownObject})
    OR EXISTS (SELECT FROM pg_proc AS o WHERE pronamespace = 'public'::regnamespace AND ${ownObject})
    OR EXISTS (SELECT FROM pg_namespace WHERE nspname = 'drizzle') AS "isUsed"`

/** Drops what a restore that was cut off has left: the database was empty before it. */
const dropSql = `
  DO $$ DECLARE names text; BEGIN
    SELECT string_agg(oid::regclass::text, ', ') INTO names FROM pg_class AS o WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND ${ownObject};
    IF names IS NOT NULL THEN EXECUTE 'DROP TABLE ' || names || ' CASCADE'; END IF;
    SELECT string_agg(oid::regclass::text, ', ') INTO names FROM pg_class AS o WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' AND ${ownObject};
    IF names IS NOT NULL THEN EXECUTE 'DROP SEQUENCE ' || names || ' CASCADE'; END IF;
    SELECT string_agg(oid::regprocedure::text, ', ') INTO names FROM pg_proc AS o WHERE pronamespace = 'public'::regnamespace AND ${ownObject};
    IF names IS NOT NULL THEN EXECUTE 'DROP ROUTINE ' || names || ' CASCADE'; END IF;
  END $$;
  DROP SCHEMA IF EXISTS drizzle CASCADE`

export type RestoreStart = 'begun' | 'begun again' | 'not empty' | 'under way'

/** Marks an empty database for a restore. One that was cut off is emptied and begun again. The lock ends with the connection. */
export async function beginRestore(client: pg.ClientBase): Promise<RestoreStart> {
  if (!(await tryAdvisoryLock(client, 'restore'))) return 'under way'
  // Nobody migrates meanwhile, as a console that starts would.
  await takeAdvisoryLock(client, 'migration')
  try {
    if (await isMarked(client)) {
      // One message is one transaction.
      await client.query(dropSql)
      return 'begun again'
    }
    const { rows } = await client.query<{ isUsed: boolean }>(contentSql)
    if (rows[0]!.isUsed) return 'not empty'
    await client.query(`CREATE SCHEMA ${markSchema}`)
    return 'begun'
  } finally {
    await releaseAdvisoryLock(client, 'migration')
  }
}

/** The statement that ends a restore, in its last transaction. */
export const endRestoreSql = `DROP SCHEMA ${markSchema}`
