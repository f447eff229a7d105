import { sql } from 'drizzle-orm'
import { DamagedFileError, type DocumentId } from '#server/adapters/document-store.ts'
import type { Ctx } from '#server/core/context.ts'

const idsAtATime = 200
const readsAtATime = 8

/** What the store lacks of what the database names. */
export interface StoreCheck {
  present: number
  missing: DocumentId[]
  damaged: DocumentId[]
}

/** The files that rows name, each once, in the order of kind and digest. */
export async function* listNamedFiles({ database: { db } }: Ctx): AsyncGenerator<DocumentId[]> {
  let last: DocumentId | undefined
  for (;;) {
    const { rows } = await db.execute<DocumentId & Record<string, unknown>>(sql`
      SELECT kind, sha256 FROM (
        SELECT DISTINCT 'picture' AS kind, encode(stored_hash, 'hex') AS sha256 FROM documents
        UNION ALL SELECT DISTINCT 'statement', sha256 FROM bank_imports) AS named
      WHERE ${last ? sql`(kind, sha256) > (${last.kind}, ${last.sha256})` : sql`true`}
      ORDER BY kind, sha256 LIMIT ${idsAtATime}`)
    if (rows.length > 0) yield rows
    if (rows.length < idsAtATime) return
    last = rows.at(-1)
  }
}

async function judge({ documents }: Ctx, id: DocumentId): Promise<'present' | 'missing' | 'damaged'> {
  try {
    return (await documents.read(id)) ? 'present' : 'missing'
  } catch (error) {
    if (error instanceof DamagedFileError) return 'damaged'
    throw error
  }
}

/** Reads every file that the database names and proves its bytes. Throws store_unavailable. */
export async function checkStoredFiles(ctx: Ctx, onProgress: (files: number) => void = () => {}): Promise<StoreCheck> {
  const found: StoreCheck = { present: 0, missing: [], damaged: [] }
  let files = 0
  for await (const ids of listNamedFiles(ctx))
    for (let at = 0; at < ids.length; at += readsAtATime) {
      const part = ids.slice(at, at + readsAtATime)
      const states = await Promise.all(part.map((id) => judge(ctx, id)))
      for (const [n, state] of states.entries())
        if (state === 'present') found.present++
        else found[state].push(part[n]!)
      onProgress((files += part.length))
    }
  return found
}
