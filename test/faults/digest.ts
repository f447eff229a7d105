import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The content of every table, sequence and given folder, each by its SHA-256 or number. */
export type Digest = ReadonlyMap<string, string>

async function digestTables(client: pg.Client): Promise<[string, string][]> {
  const { rows: tables } = await client.query<{ schema: string; name: string }>(
    `SELECT schemaname AS schema, tablename AS name FROM pg_tables WHERE schemaname IN ('public', 'drizzle') ORDER BY 1, 2`,
  )
  const found: [string, string][] = []
  for (const { schema, name } of tables) {
    const text = `SELECT count(*) || ' rows ' || encode(sha256(convert_to(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), ''), 'UTF8')), 'hex') AS digest
      FROM ${quote(schema)}.${quote(name)} AS t`
    const { rows } = await client.query<{ digest: string }>(text)
    found.push([`table ${name}`, rows[0]!.digest])
  }
  const { rows: sequences } = await client.query<{ name: string; value: string | null }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`,
  )
  return [...found, ...sequences.map(({ name, value }): [string, string] => [`sequence ${name}`, value ?? 'unused'])]
}

function digestFolder(dataDir: string, folder: string): [string, string][] {
  const files = readdirSync(join(dataDir, folder), { recursive: true, withFileTypes: true })
  return files
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [`file ${path.slice(dataDir.length + 1)}`, createHash('sha256').update(readFileSync(path)).digest('hex')]
    })
}

export async function computeDigest(client: pg.Client, dataDir: string, folders: readonly string[]): Promise<Digest> {
  return new Map([...(await digestTables(client)), ...folders.flatMap((folder) => digestFolder(dataDir, folder))])
}

/** What differs between two digests. */
export const compareDigests = (before: Digest, after: Digest): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}: ${before.get(name) ?? 'absent'} before, ${after.get(name) ?? 'absent'} after`)
