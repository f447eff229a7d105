import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type pg from 'pg'
import { openDocumentStore } from '#server/adapters/document-store.ts'
import { contextFor, type Services } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { importStatementFile } from '#server/features/bank/statements/import.ts'
import { undoImport } from '#server/features/bank/statements/undo-import.ts'
import { receiveGiven } from './given.ts'

/** What the process that imports one file is given. */
export interface GivenFile {
  connection: pg.ClientConfig
  folder: string
  file: string
  /** Of a CSV file. */
  accountId?: string
  /** Instead: the import that is undone. */
  undo?: string
}

/** What it answers. Memory in MB. */
export interface ImportMeasurement {
  importId: string
  lines: number
  seconds: number
  memoryBefore: number
  memoryMost: number
}

/** Imports one file, or undoes its import, in a process of its own, whose memory is then that of the change. */
async function importOne({ connection, folder, file, accountId, undo }: GivenFile): Promise<ImportMeasurement> {
  const database = connectPool(connection, () => {})
  // An import needs nothing else of the services.
  const services = { database, documents: openDocumentStore({ dataDir: folder, documentKeys: [] }) } as Services
  await database.pool.query('SELECT 1')
  const ctx = contextFor(services, { kind: 'system', name: 'bench' })
  const memoryBefore = process.memoryUsage().rss / 1e6
  const begun = performance.now()
  const changed = undo
    ? await undoImport(ctx, undo, { reason: 'The wrong account' })
    : (
        await importStatementFile(
          ctx,
          { fileName: basename(file), bytes: await readFile(file) },
          { accountId, isDryRun: false },
        )
      ).import
  const seconds = (performance.now() - begun) / 1000
  await database.close()
  const memoryMost = process.resourceUsage().maxRSS / 1000
  return { importId: changed.id!, lines: changed.linesNew, seconds, memoryBefore, memoryMost }
}

process.send?.(await importOne(await receiveGiven<GivenFile>()))
process.disconnect()
