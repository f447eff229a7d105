import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type pg from 'pg'
import { openDocumentStore } from '#server/adapters/document-store.ts'
import { contextFor, type Services } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { importStatementFile } from '#server/features/bank/import.ts'
import { receiveGiven } from './given.ts'

/** What the process that imports one file is given. */
export interface GivenFile {
  connection: pg.ClientConfig
  folder: string
  file: string
  /** Of a CSV file. */
  accountId?: string
}

/** What it answers. Memory in MB. */
export interface ImportMeasurement {
  lines: number
  seconds: number
  memoryBefore: number
  memoryMost: number
}

/** Imports one file in a process of its own, whose memory is then that of the import. */
async function importOne({ connection, folder, file, accountId }: GivenFile): Promise<ImportMeasurement> {
  const database = connectPool(connection, () => {})
  // An import needs nothing else of the services.
  const services = { database, documents: openDocumentStore({ dataDir: folder, documentKeys: [] }) } as Services
  await database.pool.query('SELECT 1')
  const memoryBefore = process.memoryUsage().rss / 1e6
  const begun = performance.now()
  const bytes = await readFile(file)
  const { import: taken } = await importStatementFile(
    contextFor(services, { kind: 'system', name: 'bench' }),
    { fileName: basename(file), bytes },
    { accountId, isDryRun: false },
  )
  const seconds = (performance.now() - begun) / 1000
  await database.close()
  return { lines: taken.linesNew, seconds, memoryBefore, memoryMost: process.resourceUsage().maxRSS / 1000 }
}

process.send?.(await importOne(await receiveGiven<GivenFile>()))
process.disconnect()
