import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3Server from '@20minutes/s3rver'
import type { BucketSettings } from '#server/adapters/bucket-calls.ts'
import { freePort } from '#test/support/free-port.ts'

const bucketName = 'documents'
/** The only account that it knows. */
const account = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** A store that speaks S3 and checks signatures, on a port that it keeps over stops. */
export async function startS3(place: { directory?: string; port?: number } = {}) {
  const { directory = await mkdtemp(join(tmpdir(), 'back-office-s3-')), port = await freePort() } = place
  const start = async () => {
    const options = { address: '127.0.0.1', port, silent: true, directory, configureBuckets: [{ name: bucketName }] }
    const server = new S3Server(options)
    await server.run()
    return server
  }
  let running: S3Server | undefined = await start()
  const stop = async () => {
    await running?.close()
    running = undefined
  }
  const endpoint = `http://127.0.0.1:${port}`
  return {
    port,
    /** For openDocumentStore. */
    bucket: (prefix = ''): BucketSettings => ({
      endpoint,
      bucket: bucketName,
      prefix,
      region: 'us-east-1',
      ...account,
    }),
    /** For DOCUMENTS. */
    url: (folder = '') => `s3://${bucketName}/${folder}?endpoint=${endpoint}`,
    settings: (folder = '') => ({
      DOCUMENTS: `s3://${bucketName}/${folder}?endpoint=${endpoint}`,
      DOCUMENTS_ACCESS_KEY_ID: account.accessKeyId,
      DOCUMENTS_SECRET_ACCESS_KEY: account.secretAccessKey,
    }),
    stop,
    async start() {
      running ??= await start()
    },
    async close() {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
