import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3Server from '@20minutes/s3rver'
import { type BucketSettings, createBucketCaller } from '#server/adapters/bucket-calls.ts'
import { freePort } from '#test/support/free-port.ts'
import { prepareSwift } from '#test/support/swift-server.ts'

const bucketName = 'documents'

/** A store for tests, in this process. It knows one account. */
const s3rver = {
  account: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  launch: async (directory: string, port: number) => {
    const server = new S3Server({ address: '127.0.0.1', port, silent: true, directory })
    await server.run()
    return server
  },
}

/** A store that speaks S3 and checks signatures, on a port that it keeps over stops. `TEST_S3=swift` makes it OpenStack Swift. */
export async function startS3(place: { directory?: string; port?: number } = {}) {
  const { directory = await mkdtemp(join(tmpdir(), 'back-office-s3-')), port = await freePort() } = place
  const { account, launch } = process.env.TEST_S3 === 'swift' ? await prepareSwift(directory, port) : s3rver
  const endpoint = `http://127.0.0.1:${port}`
  /** For openDocumentStore. */
  const bucket = (prefix = ''): BucketSettings => ({
    endpoint,
    bucket: bucketName,
    prefix,
    region: 'us-east-1',
    ...account,
  })
  const start = async () => {
    const store = await launch(directory, port)
    const { call } = createBucketCaller({ ...bucket(), pausesMs: Array(900).fill(100) }, endpoint)
    if ((await call('')).status === 404) await call('', { method: 'PUT' })
    return store
  }
  let running: Awaited<ReturnType<typeof start>> | undefined = await start()
  const stop = async () => {
    await running?.close()
    running = undefined
  }
  /** For DOCUMENTS. */
  const url = (folder = '') => `s3://${bucketName}/${folder}?endpoint=${endpoint}`
  return {
    port,
    account,
    bucket,
    url,
    settings: (folder = '') => ({
      DOCUMENTS: url(folder),
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
