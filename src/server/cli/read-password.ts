import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError } from '#server/lib/command-error.ts'

/** Reads a new password: asks twice without echo in a terminal, otherwise reads the first line. Throws CommandError. */
export async function readPassword(input: NodeJS.ReadStream, prompts: NodeJS.WriteStream): Promise<string> {
  if (!input.isTTY) return readFirstLine(input)
  const password = await promptHidden('New password (15 to 128 characters): ', input, prompts)
  if ((await promptHidden('The same again: ', input, prompts)) !== password)
    throw new CommandError('The two passwords differ; nothing was changed')
  return password
}

async function readFirstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) text += String(chunk)
  const [line = ''] = text.split(/\r?\n/)
  if (!line) throw new CommandError('No password came in; pipe one in, or let one be made with --generate')
  return line
}

async function promptHidden(question: string, input: NodeJS.ReadStream, prompts: NodeJS.WriteStream): Promise<string> {
  // Line editing works as usual, but its echo is discarded. The terminal's echo is off before the question appears.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output, terminal: true, historySize: 0 })
  prompts.write(question)
  const leaving = new AbortController()
  try {
    const typed = once(lines, 'line', { signal: leaving.signal })
    lines.once('close', () => leaving.abort())
    const [line] = await typed
    return String(line)
  } catch {
    throw new CommandError('Cancelled; nothing was changed')
  } finally {
    lines.close()
    prompts.write('\n')
  }
}
