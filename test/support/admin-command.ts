import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, inject } from 'vitest'
import { auditKey, buildDatabaseUrl, documentsKey } from './console-process.ts'
import type { TestServer } from './server.ts'

/** Runs `npm run admin` on the database of the running server, as an operator does. */
export async function createAdminCommand(server: TestServer) {
  const [database] = await server.sql<{ name: string }>('SELECT current_database() AS name')
  const url = buildDatabaseUrl(inject('postgres'), database!.name)
  const program = join(import.meta.dirname, '../..', 'src', 'server', 'cli', 'admin.ts')

  return async (args: string[], given: { input?: string; environment?: Record<string, string> } = {}) => {
    const command = spawn(process.execPath, [program, ...args], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        DATABASE_URL: url,
        AUDIT_KEY: auditKey,
        DOCUMENTS_KEY: documentsKey,
        ...given.environment,
      },
    })
    command.stdin.end(given.input ?? '')
    const [out, error] = await Promise.all([text(command.stdout), text(command.stderr), once(command, 'close')])
    expect(error, 'no stack trace').not.toMatch(/\n\s+at /)
    return { code: command.exitCode, out, error }
  }
}
