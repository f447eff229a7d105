import type { FileStore } from '#server/adapters/file-store.ts'
import { audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { createMark, readKnownMark, writeKnownMark } from './claim-store.ts'

const copiesAtATime = 8

export interface StoreMove {
  /** Files that the target had already, with the same bytes. */
  present: number
  copied: number
}

/** Copies one stored file and reads it back. Answers whether it had to. */
async function copyFile(from: FileStore, to: FileStore, name: string): Promise<boolean> {
  const bytes = await from.get(name)
  // Deleted meanwhile, or stored under the name of a new key.
  if (!bytes) return false
  if ((await to.get(name))?.equals(bytes)) return false
  await to.put(name, bytes)
  if (!(await to.get(name))?.equals(bytes))
    throw new CommandError(`${to.place} gave other bytes back for ${name} than were stored there; nothing is switched`)
  return true
}

/**
 * Copies all files to another store as they are, encrypted, and compares every byte. Begun again it copies what is left. Consoles may go
 * on meanwhile.
 */
export async function copyStore(
  { documents: { files } }: Ctx,
  to: FileStore,
  onProgress: (move: StoreMove) => void = () => {},
): Promise<StoreMove> {
  const move: StoreMove = { present: 0, copied: 0 }
  let batch: string[] = []
  const finish = async () => {
    const copied = await Promise.all(batch.map((name) => copyFile(files, to, name)))
    for (const isCopied of copied) move[isCopied ? 'copied' : 'present']++
    batch = []
    onProgress(move)
  }
  for await (const { name } of files.list()) if (batch.push(name) >= copiesAtATime) await finish()
  await finish()
  return move
}

/** From now on the database names the files of this store: servers with the old one do not start any more. */
export async function switchStore(ctx: Ctx, to: FileStore): Promise<void> {
  const mark = createMark()
  await to.writeMark(mark)
  await inTransaction(ctx, async (tx) => {
    await lockInTransaction(tx, 'document store')
    const known = await readKnownMark(tx)
    await writeKnownMark(tx, mark)
    await audit(tx, ctx, {
      action: 'move_documents',
      target: { type: 'document_store', id: mark },
      details: { from: ctx.documents.files.place, to: to.place, known },
    })
  })
}
