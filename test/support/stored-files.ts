import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect } from 'vitest'
import { isFileName } from '#server/adapters/file-store.ts'
import { platformBase } from './platform-calls.ts'
import { platformKey, type TestServer } from './server.ts'

/** Pictures of members and the files that the store keeps of them. */
export function createFileFixtures(server: TestServer, username = 'ada') {
  const folder = join(server.services.config.dataDir, 'documents')
  const call = server.as(username)
  let width = 100

  /** All files of members below the folder of documents, without the mark of the store. */
  async function list(): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    return entries
      .filter((entry) => entry.isFile() && isFileName(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
  }
  async function upload(memberId: string, kind = 'front'): Promise<string> {
    const reply = await server.app.inject({
      method: 'PUT',
      url: `${platformBase}/members/${memberId}/documents/${kind}`,
      payload: await sharp({ create: { width: width++, height: 80, channels: 3, background: '#c02020' } })
        .png()
        .toBuffer(),
      headers: { authorization: `Bearer ${platformKey}`, 'content-type': 'image/png' },
    })
    expect(reply.statusCode, reply.body).toBe(200)
    return reply.json().documentPath
  }
  async function view(memberId: string, documentPath: string) {
    const { token } = (await call('POST', '/api/documents/token', { userId: memberId, documentPath })).json()
    return call('GET', `/api/documents/proxy/${token}`)
  }
  return {
    folder,
    list,
    upload,
    view,
    /** Uploads a picture and names its new file. */
    async uploadFile(memberId: string, kind = 'front') {
      const before = new Set(await list())
      const documentPath = await upload(memberId, kind)
      const [path] = (await list()).filter((each) => !before.has(each))
      return { documentPath, path: path! }
    },
    /** Changes one bit. */
    async flip(path: string, at: number) {
      const bytes = await readFile(path)
      bytes[at < 0 ? bytes.length + at : at]! ^= 1
      await writeFile(path, bytes)
    },
    /** Makes a file look as old as so many days. */
    async age(path: string, days: number) {
      const at = new Date(Date.now() - days * 86_400_000)
      await utimes(path, at, at)
    },
  }
}
