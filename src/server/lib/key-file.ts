import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './write-once.ts'

const keyBytes = 32

const isCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code

/** The key in a file that only its owner may read. Makes both at first use; of several makers at once, one wins. */
export async function readKeyFile(path: string): Promise<Buffer> {
  try {
    return parseKey(await readFile(path, 'utf8'), path)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
  await writeOnce(path, randomBytes(keyBytes).toString('base64'))
  return parseKey(await readFile(path, 'utf8'), path)
}

function parseKey(text: string, path: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== keyBytes) throw new Error(`${path} does not hold a key of ${keyBytes} bytes in base64`)
  return key
}

/** The key is on the disk before anything is encrypted with it. */
async function writeOnce(path: string, text: string): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    // Unlike rename, never replaces what another process wrote a moment ago.
    await link(draft, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft)
  }
  await syncFolder(folder)
}
