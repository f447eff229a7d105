import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '#server/lib/hash.ts'

export const webRoot = join(import.meta.dirname, '../../../dist/web')

export interface WebBuild {
  /** The page with placeholders that each reply fills. */
  template: string
  /** Changes with every file of the web app, because the page contains their hashes. */
  id: string
}

/** The built web app. Null if none is built. */
export async function readWebBuild(): Promise<WebBuild | null> {
  const template = await readFile(join(webRoot, 'index.html'), 'utf8').catch(() => null)
  return template === null ? null : { template, id: sha256(template).toString('hex').slice(0, 12) }
}
