import type { TestServer } from './server.ts'

/** Every row of every table, each as one line. */
export type TableState = ReadonlySet<string>

/** Reads and empties the whole of a test's database, whatever tables it has. */
export async function createTableReader(server: TestServer) {
  const tables = (
    await server.sql<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
    )
  ).map(({ name }) => name)
  // Numbers that the database gives are long ones, so that they are told from what was counted.
  await server.sql(`DO $$ DECLARE s regclass; BEGIN
    FOR s IN SELECT format('%I.%I', schemaname, sequencename)::regclass FROM pg_sequences WHERE schemaname = 'public'
    LOOP PERFORM setval(s, 1000000); END LOOP; END $$`)
  return {
    /** All rows of all tables but `but`. */
    async read(but: readonly string[] = []): Promise<TableState> {
      const parts = tables
        .filter((name) => !but.includes(name))
        .map((name) => `SELECT '${name} ' || to_jsonb(t)::text AS line FROM ${name} t`)
      const rows = await server.sql<{ line: string }>(parts.join(' UNION ALL '))
      return new Set(rows.map(({ line }) => line))
    },
    /** Empties all tables but those of the admins and what a migration has written; the append-only ones too. */
    async empty() {
      const kept = ['admins', 'sessions', 'settings', 'platform_endpoints', 'bank_policy']
      const others = tables.filter((name) => !kept.includes(name))
      const deletions = others.map((name) => `DELETE FROM ${name}`).join('; ')
      await server.sql(`SET LOCAL session_replication_role = replica; ${deletions}`)
    },
  }
}

/** What differs from one equal change to the next: instants, ids, names with a running number. */
const varyingValues: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+(\+00:00|Z)/g, 'time'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid'],
  [/\$argon2id\$[^"]+/g, 'hash'],
  [/\\\\x[0-9a-f]+/g, 'bytes'],
  [/0x[0-9a-f]{40,64}/gi, 'address'],
  [/[0-9a-f]{24}@erased/g, 'digest@erased'],
  [/"mac": "[0-9a-f]{16}\.[\w-]{43}"/g, '"mac": "digest"'],
  [/"latency_ms": \d+/g, 'latency'],
  [/"(changed_in|xid)": "?\d+"?/g, '"$1": number'],
  [/"(key|sha256|personal)": "[0-9a-f]{32,64}"/g, '"$1": "digest"'],
  [/whsec_[A-Za-z\d+/=]{20,}/g, 'secret'],
  [/\bRF\d\d[A-Z0-9]+/g, 'reference'],
  [/\b\d{7,}\b/g, 'number'],
  [/"day": "[\d-]+"/g, 'day'],
  [/(?:\b|(?<=\\n))(m|t|f|doc|MB|ada)-\d+|member\d+(?=@)|ORD-\d+|case_[0-9a-f]{16}/gi, 'name'],
]

/** The rows added (`+`) and removed (`-`) between two states, with varying values replaced by words. */
export function diffStates(before: TableState, after: TableState): string[] {
  const lines = [
    ...[...after].filter((line) => !before.has(line)).map((line) => `+ ${line}`),
    ...[...before].filter((line) => !after.has(line)).map((line) => `- ${line}`),
  ]
  return lines.map((line) => varyingValues.reduce((text, [form, word]) => text.replace(form, word), line)).toSorted()
}
