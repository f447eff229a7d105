import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/core/config.ts'
import type { Actor, Ctx } from '#server/core/context.ts'

/** What a command gets that opens what it needs by itself. */
export interface CommandTools {
  config: Config
  log: FastifyBaseLogger
  actor: Actor
  /** Informs the operator. */
  say: (line: string) => void
}
export type Standalone = (tools: CommandTools) => Promise<string>

/** A command with checked arguments. Runs against a database and returns what to print. */
export interface Command {
  (ctx: Ctx): Promise<string>
  /** Runs instead, if there is one, and no database is opened or migrated for it. */
  standalone?: Standalone
}

/** A command that works without a console's database. */
export const standalone = (run: Standalone): Command =>
  Object.assign(() => Promise.reject(new Error('this command opens what it needs by itself')), { standalone: run })
