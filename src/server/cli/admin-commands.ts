import { CommandError } from '#server/lib/command-error.ts'
import { accessCommands } from './access-commands.ts'
import { auditCommands } from './audit-commands.ts'
import { backupCommands } from './backup-commands.ts'
import { type Command, type CommandDefinition, describeCommand, usageError } from './command.ts'
import { databaseCommands } from './database-commands.ts'
import { messageCommands } from './message-commands.ts'
import { documentCommands } from './document-commands.ts'
import { keyCommands } from './key-commands.ts'
import { memberCommands } from './member-commands.ts'
import { operatorCommands } from './operator-commands.ts'

/** All commands, in the order of the usage. */
const chapters: readonly CommandDefinition[][] = [
  operatorCommands,
  keyCommands,
  messageCommands,
  auditCommands,
  accessCommands,
  databaseCommands,
  backupCommands,
  documentCommands,
  memberCommands,
]

export const usage = `Usage: npm run admin -- <command>

${chapters.map((commands) => commands.map(describeCommand).join('\n')).join('\n\n')}

  help                         this text

A password is asked for without showing it; where there is no terminal it is read from the input's first line. Anyone who
signs in with it chooses another one before anything else opens.
The commands work on the database of DATA_DIR or DATABASE_URL, whether the console is running or not.`

/** Parses the command line before anything starts. Null means help. Throws CommandError for unknown commands. */
export function readCommand(args: string[]): Command | null {
  // Options may come before the command, whose words are the first ones without a dash.
  const words = args.flatMap((word, at) => (word.startsWith('-') ? [] : [{ word, at }]))
  if (args.length === 0 || words[0]?.word === 'help' || args.includes('--help') || args.includes('-h')) return null
  try {
    const name = (length: number) => words.slice(0, length).map(({ word }) => word)
    const definition = findDefinition(name(3)) ?? findDefinition(name(2)) ?? findDefinition(name(1))
    if (!definition) throw describeUnknown(args[0]!, name(3))
    const named = words.slice(0, definition.name.split(' ').length)
    return definition.read(args.filter((_, at) => named.every((each) => each.at !== at)))
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === 2) throw usageError(`${error.message}\n\n${usage}`)
    throw error
  }
}

const findDefinition = (words: string[]) => chapters.flat().find(({ name }) => name === words.join(' '))

/** Names the words that could follow where a command has only begun. */
function describeUnknown(first: string, words: string[]): CommandError {
  for (let length = words.length; length > 0; length--) {
    const begun = words.slice(0, length).join(' ')
    const following = chapters
      .flat()
      .flatMap(({ name }) => (name.startsWith(`${begun} `) ? [name.slice(begun.length + 1).split(' ')[0]!] : []))
    if (following.length === 0) continue
    if (length === words.length)
      return usageError(`${begun} needs one more word: ${[...new Set(following)].join(', ')}`)
    return usageError(`There is no command "${begun} ${words[length]}"`)
  }
  return usageError(`There is no command "${words[0] ?? first}"`)
}
