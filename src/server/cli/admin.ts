import { userInfo } from 'node:os'
import { inspect } from 'node:util'
import { pino } from 'pino'
import { readConfig, SettingError } from '#server/core/config.ts'
import { contextFor } from '#server/core/context.ts'
import { StartError } from '#server/db/embedded/errors.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { AppError, isDatabaseAway } from '#server/lib/errors.ts'
import { layFoundation } from '#server/process/start.ts'
import { readCommand, usage, type Command } from './admin-commands.ts'
import { printable } from './printable.ts'

/** The account that runs the command, for the audit log. */
function operator(): string {
  try {
    return `npm run admin (${userInfo().username})`
  } catch {
    return 'npm run admin'
  }
}

async function run(command: Command): Promise<string> {
  const config = readConfig(process.env)
  const log = pino({ level: process.env.LOG_LEVEL || 'error' }, pino.destination(2))
  // Only what the command itself says belongs on standard output.
  const foundation = await layFoundation(config, log, (line) => console.error(printable(line)))
  try {
    return await command(contextFor(foundation.services, { kind: 'command', name: operator() }))
  } finally {
    await foundation.close()
  }
}

/** What went wrong in an operator's words; what is nobody's mistake is shown whole. */
function wordsFor(error: unknown): string {
  if (error instanceof CommandError || error instanceof AppError) return error.message
  if (error instanceof SettingError || error instanceof StartError) return `Cannot start: ${error.message}`
  if (isDatabaseAway(error)) return 'The database cannot be reached; nothing was changed'
  return inspect(error)
}

/** Answers the exit code. */
function fail(error: unknown): number {
  console.error(printable(wordsFor(error)))
  return error instanceof CommandError ? error.exitCode : 1
}

try {
  const command = readCommand(process.argv.slice(2))
  console.log(printable(command ? await run(command) : usage))
  process.exitCode = 0
} catch (error) {
  process.exitCode = fail(error)
}
