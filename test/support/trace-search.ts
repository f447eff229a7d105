import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestServer } from './server.ts'

/** Looks for what tells a person, wherever a console may keep it. */
export function createTraceSearch(server: TestServer) {
  /** Every row of every table that has one of these values in any column. */
  async function findRows(values: readonly string[]): Promise<string[]> {
    const tables = await server.sql<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')",
    )
    const patterns = values.flatMap((value) => [value, Buffer.from(value).toString('hex')]).map((value) => `%${value}%`)
    const found = await Promise.all(
      tables.map(({ name }) =>
        server
          .sql<{ row: string }>(`SELECT t::text AS row FROM "${name}" AS t WHERE t::text ILIKE ANY($1)`, [patterns])
          .then((rows) => rows.map(({ row }) => `${name}: ${row}`)),
      ),
    )
    return found.flat()
  }

  async function findFiles(values: readonly string[]): Promise<string[]> {
    const folder = server.services.config.dataDir
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const texts = await Promise.all(
      paths.map(async (path) => ({ path, text: (await readFile(path, 'latin1')).toLowerCase() })),
    )
    return texts
      .filter(({ text }) => values.some((value) => text.includes(value.toLowerCase())))
      .map(({ path }) => path)
  }
  return { findRows, findFiles }
}
