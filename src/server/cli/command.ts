import { parseArgs } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/core/config.ts'
import type { Actor, Ctx } from '#server/core/context.ts'
import { CommandError } from '#server/lib/command-error.ts'

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

/** What was typed is not a command. Shown with the usage. */
export const usageError = (problem: string) => new CommandError(problem, 2)

/** What an option means. With a value: an example of it first. Repeated: each use adds a value. */
type Option = string | readonly [value: string, help: string, repeated?: 'repeated']
type Options = Readonly<Record<string, Option>>

type RequiredNames<Usage> = Usage extends `${string}<${infer Name}>${infer Rest}` ? Name | RequiredNames<Rest> : never
type OptionalNames<Usage> = Usage extends `${string}[${infer Name}]${infer Rest}` ? Name | OptionalNames<Rest> : never
type CommandArguments<Usage, Accepted> = Record<RequiredNames<Usage>, string> & {
  [Name in OptionalNames<Usage>]?: string
} & {
  [Name in keyof Accepted]?: Accepted[Name] extends string
    ? boolean
    : Accepted[Name] extends readonly [string, string]
      ? string
      : string[]
}

export interface CommandDefinition {
  /** Its words and what follows them, such as `endpoint create <name> <url>`. */
  usage: string
  /** The words alone. */
  name: string
  help: string
  options: Options
  /** Parses what follows the name, before anything starts. Throws a usage error. */
  read: (words: string[]) => Command
}

/**
 * `usage` names what has to follow as `<id>`, and what may as `[id]`; `<reason...>` takes all that follows. `read`
 * checks what was given, and throws a usage error.
 */
export function defineCommand<Usage extends string, const Accepted extends object = object>(
  usage: Usage,
  help: string,
  read: (given: CommandArguments<Usage, Accepted>) => Command,
  options?: Accepted & Options,
): CommandDefinition {
  const name = usage.replace(/ [<[].*/, '')
  const accepted: Options = options ?? {}
  return {
    usage,
    name,
    help,
    options: accepted,
    read: (words) => read(parseWords(usage, name, accepted, words) as never),
  }
}

function parseWords(usage: string, name: string, options: Options, words: string[]) {
  const { values, positionals } = parseOptions(name, options, words)
  const given: Record<string, unknown> = { ...values }
  for (const [, bracket, arg = ''] of usage.matchAll(/([<[])([^>\]]+)/g)) {
    const value = arg.endsWith('...') ? positionals.splice(0).join(' ') : positionals.shift()
    if (!value && bracket === '<') throw usageError(`${name} needs one more word: <${arg}>`)
    given[arg] = value
  }
  if (positionals.length > 0) throw usageError(`${name} does not know what to do with "${positionals[0]}"`)
  return given
}

function parseOptions(name: string, options: Options, args: string[]) {
  const accepted = Object.entries(options).map(([option, given]) => [
    option,
    typeof given === 'string'
      ? { type: 'boolean' as const }
      : { type: 'string' as const, multiple: given[2] === 'repeated' },
  ])
  try {
    const { tokens, ...parsed } = parseArgs({
      args,
      allowPositionals: true,
      tokens: true,
      options: Object.fromEntries(accepted),
    })
    const used = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
    const twice = used.find((option, at) => used.indexOf(option) < at && options[option]?.[2] !== 'repeated')
    if (twice !== undefined) throw usageError(`${name} takes --${twice} once`)
    return parsed
  } catch (error) {
    const { message } = error as Error
    const unknown = /^Unknown option '(-[^']+)'/.exec(message)
    throw usageError(unknown ? `${name} knows no ${unknown[1]}` : message)
  }
}

const column = 31
const width = 120

/** A line of the usage, with what it means in the second column. */
function formatLine(left: string, help: string): string {
  const lines = left.length < column ? [left.padEnd(column - 1)] : [left, ' '.repeat(column - 1)]
  for (const word of help.split(' ')) {
    const line = `${lines.at(-1)} ${word}`
    if (line.length <= width) lines[lines.length - 1] = line
    else lines.push(`${' '.repeat(column)}${word}`)
  }
  return lines.join('\n').trimEnd()
}

/** How a command is written and what it does, for the usage. */
export const describeCommand = ({ usage, help, options }: CommandDefinition): string =>
  [
    formatLine(`  ${usage}`, help),
    ...Object.entries(options).map(([option, given]) =>
      typeof given === 'string'
        ? formatLine(`      --${option}`, given)
        : formatLine(`      --${option} ${given[0]}`, given[1]),
    ),
  ].join('\n')
