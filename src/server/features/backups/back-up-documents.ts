import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { DocumentId, DocumentStore } from '#server/adapters/document-store.ts'
import type { Ctx } from '#server/core/context.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { sha256 } from '#server/lib/hash.ts'
import type { BackupRun } from './create.ts'
import { documentFile, type Manifest } from './manifest.ts'
import { formatSum } from './sums.ts'

const rowsAtATime = 1000
/** Each is held whole while it is copied, at most 50 MB. */
const filesAtATime = 4

const namedSql = `
  SELECT DISTINCT 'picture' AS kind, encode(stored_hash, 'hex') AS sha256 FROM documents
  UNION ALL SELECT DISTINCT 'statement', sha256 FROM bank_imports`

/** Makes the database keep which files the rows of the snapshot name, on its disk and until the connection ends. */
export async function keepNamedFiles(client: pg.Client): Promise<void> {
  await client.query(`DECLARE named_files NO SCROLL CURSOR WITH HOLD FOR ${namedSql}`)
}

interface CopiedFile {
  name: string
  size: number
  sha256: string
}

/** Copies the files that `keepNamedFiles` found, as they are stored: encrypted, each with its own key. */
export async function backUpDocuments(
  { documents }: Ctx,
  client: pg.Client,
  run: BackupRun,
): Promise<Manifest['documents']> {
  const lines = createHash('sha256')
  const missing: string[] = []
  let bytes = 0
  for (;;) {
    const { rows } = await client.query<DocumentId>(`FETCH ${rowsAtATime} FROM named_files`)
    if (rows.length === 0) break
    for (let at = 0; at < rows.length; at += filesAtATime) {
      run.stop?.throwIfAborted()
      const ids = rows.slice(at, at + filesAtATime)
      const copied = await Promise.all(ids.map((id) => copyFile(documents, id, run)))
      const found = copied.filter((file) => file !== null)
      missing.push(...ids.filter((_id, n) => copied[n] === null).map(({ kind, sha256 }) => `${kind}/${sha256}`))
      const sums = found.map((file) => formatSum(file.sha256, documentFile(file.name))).join('')
      lines.update(sums)
      await run.sums.add(sums)
      bytes += found.reduce((sum, { size }) => sum + size, 0)
      run.report({ files: run.progress.files + found.length })
    }
  }
  return { files: run.progress.files, bytes, sha256: lines.digest('hex'), missing }
}

/** Null if the store has none: deleted since the snapshot, or lost. */
async function copyFile(documents: DocumentStore, id: DocumentId, run: BackupRun): Promise<CopiedFile | null> {
  const stored = await readStored(documents, id)
  if (!stored) return null
  if (stored.name === id.sha256 && run.recipients.length > 0)
    throw new CommandError(
      'Some documents are from before they were encrypted, and an encrypted back-up has none of them: the console encrypts ' +
        'them within a day of its start, then try again',
    )
  await run.store.put(documentFile(stored.name), stored.bytes, { signal: run.stop })
  return { name: stored.name, size: stored.bytes.length, sha256: sha256(stored.bytes).toString('hex') }
}

async function readStored(documents: DocumentStore, id: DocumentId) {
  // A rotation of the key gives a file another name.
  for (let turn = 0; turn < 3; turn++) {
    const name = await documents.find(id)
    const bytes = name === null ? null : await documents.files.get(name)
    if (name !== null && bytes) return { name, bytes }
  }
  return null
}
