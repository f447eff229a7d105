import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { auditKey, documentsKey, waitForAddress, buildDatabaseUrl } from './console-process.ts'
import type { TestServer } from './server.ts'
import { findCluster } from './cluster.ts'

/** Starts the real server as a process of its own on the test's database. Killed at the latest when the test ends. */
export async function spawnServer(server: TestServer, environment: Record<string, string> = {}) {
  const [row] = await server.sql<{ name: string }>('SELECT current_database() AS name')
  const dataDir = await mkdtemp(join(tmpdir(), 'back-office-killed-'))
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/server/main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: buildDatabaseUrl(findCluster().postgres, row!.name),
      DATA_DIR: dataDir,
      AUDIT_KEY: auditKey,
      // As in `startServer`: a session is made without a sign-in, and used by `fetch`.
      SESSION_NETWORK: 'off',
      DOCUMENTS_KEY: documentsKey,
      PORT: '0',
      DEMO: 'off',
      ...environment,
    },
    // The channel ends it together with the worker that started it, however that ends.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const kill = () => {
    child.kill('SIGKILL')
    return ended
  }
  /** As an operator or systemd ends it; answers its exit code. */
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    return child.exitCode
  }
  const signal = (name: NodeJS.Signals) => child.kill(name)
  onTestFinished(async () => {
    await kill()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { child, kill, stop, signal }
}

/** Like `spawnServer`, once the server is ready at `url`. */
export async function startProcess(server: TestServer, environment: Record<string, string> = {}) {
  const { child, ...actions } = await spawnServer(server, environment)
  return { url: await waitForAddress(child), ...actions }
}
