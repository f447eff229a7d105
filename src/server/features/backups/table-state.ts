import pg from 'pg'

const escape = pg.escapeIdentifier

interface Droppable {
  drop: string
  create: string
}

/** What makes loading slow, or would change rows that are loaded: dropped before, and made again as it was. */
export interface SetAside {
  indexes: Droppable[]
  foreignKeys: Droppable[]
  /** Tables with triggers. */
  triggered: string[]
}

const indexesSql = `
  SELECT format('DROP INDEX public.%I', x.relname) AS drop, pg_get_indexdef(i.indexrelid) AS create
  FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid JOIN pg_class AS t ON t.oid = i.indrelid
  WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r'
    -- Those of primary keys and unique columns belong to their constraints.
    AND NOT EXISTS (SELECT FROM pg_constraint AS c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x'))
  ORDER BY pg_relation_size(t.oid) DESC, x.relname`

const foreignKeysSql = `
  SELECT format('ALTER TABLE public.%I DROP CONSTRAINT %I', t.relname, c.conname) AS drop,
    format('ALTER TABLE public.%I ADD CONSTRAINT %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid)) AS create
  FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid
  WHERE t.relnamespace = 'public'::regnamespace AND c.contype = 'f' AND c.conparentid = 0 ORDER BY t.relname, c.conname`

const triggeredSql = `
  SELECT DISTINCT t.relname AS name FROM pg_trigger AS g JOIN pg_class AS t ON t.oid = g.tgrelid
  WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r' AND NOT g.tgisinternal ORDER BY 1`

/** Drops secondary indexes and foreign keys, and switches triggers off. A restore that is cut off begins again. */
export async function setAside(client: pg.ClientBase): Promise<SetAside> {
  const { rows: foreignKeys } = await client.query<Droppable>(foreignKeysSql)
  const { rows: indexes } = await client.query<Droppable>(indexesSql)
  const { rows: triggered } = await client.query<{ name: string }>(triggeredSql)
  const names = triggered.map(({ name }) => name)
  const statements = [
    ...names.map((name) => `ALTER TABLE public.${escape(name)} DISABLE TRIGGER USER`),
    ...foreignKeys.map(({ drop }) => drop),
    ...indexes.map(({ drop }) => drop),
  ]
  await client.query(['BEGIN', ...statements, 'COMMIT'].join(';\n'))
  return { indexes, foreignKeys, triggered: names }
}

/** Checks all foreign keys again, and switches triggers on. Indexes are made before, since the checks use them. */
export async function putBack(client: pg.ClientBase, { foreignKeys, triggered }: SetAside): Promise<void> {
  for (const { create } of foreignKeys) await client.query(create)
  for (const name of triggered) await client.query(`ALTER TABLE public.${escape(name)} ENABLE TRIGGER USER`)
}
