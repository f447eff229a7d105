import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Block {
  /** What stands behind the fence: `sh`, `json`, `json event` … */
  kind: string
  text: string
}

/** The fenced blocks of a document and its `<!-- remarks -->`, in their order. */
export function readBlocks(document: string): Block[] {
  const found = document.matchAll(/^```(.*)\n([\s\S]*?)^```$|^<!-- (.*) -->$/gm)
  return [...found].map(([, kind, text, remark]) =>
    remark === undefined ? { kind: kind!, text: text! } : { kind: 'remark', text: remark },
  )
}

/** Prints the end of each command's output: no command of a document prints it. */
const end = '\0'

/** A shell into which a reader pastes one command after the other, in an empty folder of its own. */
export async function openShell(environment: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'back-office-pasted-'))
  const shell = spawn('sh', { cwd: folder, env: { PATH: process.env.PATH, ...environment } })
  let output = ''
  let errorText = ''
  let isOver = false
  let resume = () => {}
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (output.endsWith(end)) resume()
  })
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (errorText += text))
  const closed = once(shell, 'close').then(() => {
    isOver = true
    resume()
  })
  return {
    /** What the command printed. Throws what it complained of. */
    async paste(command: string): Promise<string> {
      output = ''
      const done = new Promise<void>((resolve) => (resume = resolve))
      if (!isOver) shell.stdin.write(`${command}\nprintf '\\0'\n`)
      if (!isOver) await done
      if (errorText || isOver) throw new Error(`${command}\n${errorText || 'the shell ended'}`)
      return output.slice(0, -end.length).trim()
    },
    async close() {
      shell.stdin.end()
      await closed
      await rm(folder, { recursive: true })
    },
  }
}
