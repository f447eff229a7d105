import { userInfo } from 'node:os'
import { inspect } from 'node:util'
import { pino } from 'pino'
import { StoreError } from '#server/adapters/object-path.ts'
import { readConfig, SettingError } from '#server/core/config.ts'
import { contextFor } from '#server/core/context.ts'
import { StartError } from '#server/db/embedded/errors.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { AppError, isDatabaseAway } from '#server/lib/errors.ts'
import { openServerBase } from '#server/process/start.ts'
import { readCommand, usage } from './admin-commands.ts'
import type { Command } from './command.ts'
import { escapeOutput } from './output.ts'

/** The account that runs the command, for the audit log. */
function readOperator(): string {
  try {
    return `npm run admin (${userInfo().username})`
  } catch {
    return 'npm run admin'
  }
}

/** Where a command reads its settings from and writes to. Standard output is only for its own result. */
export interface CommandSurroundings {
  environment: Record<string, string | undefined>
  print: (text: string) => void
  printError: (text: string) => void
}

async function run(
  command: Command,
  { environment, printError }: CommandSurroundings,
  allowsOtherKey: boolean,
): Promise<string> {
  const config = readConfig(environment)
  const log = pino({ level: environment.LOG_LEVEL || 'error' }, pino.destination(2))
  const actor = { kind: 'command', name: readOperator() } as const
  const say = (line: string) => printError(escapeOutput(line))
  if (command.standalone) return command.standalone({ config, log, actor, say })
  const foundation = await openServerBase(config, log, say, { allowsOtherKey })
  try {
    return await command(contextFor(foundation.services, actor))
  } finally {
    await foundation.close()
  }
}

/** The error in an operator's words. Unexpected errors are shown in full. */
function describeError(error: unknown): string {
  if (error instanceof CommandError || error instanceof AppError) return error.message
  if (error instanceof SettingError || error instanceof StartError) return `Cannot start: ${error.message}`
  if (error instanceof StoreError) return `${error.message[0]!.toUpperCase()}${error.message.slice(1)}`
  if (isDatabaseAway(error)) return 'The database cannot be reached; nothing was changed'
  return inspect(error)
}

/** Runs the command of these words and prints its result, or its error. Returns the exit code. */
export async function runAdminCommand(words: string[], surroundings: CommandSurroundings): Promise<number> {
  try {
    const command = readCommand(words)
    // Commands of the audit log, of keys and of the store also work where a key or the store was lost, and a back-up is made then too.
    const allowsOtherKey = ['audit', 'keys', 'backup', 'documents'].includes(
      words.find((word) => !word.startsWith('-')) ?? '',
    )
    surroundings.print(escapeOutput(command ? await run(command, surroundings, allowsOtherKey) : usage))
    return 0
  } catch (error) {
    surroundings.printError(escapeOutput(describeError(error)))
    return error instanceof CommandError ? error.exitCode : 1
  }
}
