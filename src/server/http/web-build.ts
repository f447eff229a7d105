import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '#server/lib/hash.ts'

export const webRoot = join(import.meta.dirname, '../../../dist/web')

export interface WebBuild {
  /** The page, with places for what each reply writes into it. */
  template: string
  /** Changes with every file of the web app, since the page names them by their hashes. */
  id: string
}

/** The built web app that this server serves; null where none is built. */
export async function readWebBuild(): Promise<WebBuild | null> {
  const template = await readFile(join(webRoot, 'index.html'), 'utf8').catch(() => null)
  return template === null ? null : { template, id: sha256(template).toString('hex').slice(0, 12) }
}
