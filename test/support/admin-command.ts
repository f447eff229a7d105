import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { runAdminCommand } from '#server/cli/run-admin-command.ts'
import { findCluster } from './cluster.ts'
import { auditKey, buildDatabaseUrl, documentsKey } from './console-process.ts'
import type { TestServer } from './server.ts'

/**
 * Runs `npm run admin` on the database of the running server, as an operator does: in a process of its own where it has an input, in
 * this one otherwise.
 */
export async function createAdminCommand(server: TestServer) {
  const [database] = await server.sql<{ name: string }>('SELECT current_database() AS name')
  const settings = {
    DATABASE_URL: buildDatabaseUrl(findCluster().postgres, database!.name),
    AUDIT_KEY: auditKey,
    DOCUMENTS_KEY: documentsKey,
  }
  return async (args: string[], given: { input?: string; environment?: Record<string, string> } = {}) => {
    const environment = { ...settings, ...given.environment }
    const result =
      given.input === undefined ? await runHere(args, environment) : await runApart(args, environment, given.input)
    expect(result.error, 'no stack trace').not.toMatch(/\n\s+at /)
    return result
  }
}

async function runHere(args: string[], environment: Record<string, string>) {
  let [out, error] = ['', '']
  const code = await runAdminCommand(args, {
    environment,
    print: (line) => (out += `${line}\n`),
    printError: (line) => (error += `${line}\n`),
  })
  return { code, out, error }
}

async function runApart(args: string[], environment: Record<string, string>, input: string) {
  const program = join(import.meta.dirname, '../..', 'src', 'server', 'cli', 'admin.ts')
  const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, TMPDIR } = process.env
  const command = spawn(process.execPath, [program, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, TMPDIR, ...environment },
  })
  command.stdin.end(input)
  const [out, error] = await Promise.all([text(command.stdout), text(command.stderr), once(command, 'close')])
  return { code: command.exitCode, out, error }
}
