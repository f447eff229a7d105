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
export function blocksOf(document: string): Block[] {
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
  let printed = ''
  let complained = ''
  let isOver = false
  let goOn = () => {}
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (printed.endsWith(end)) goOn()
  })
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text))
  const closed = once(shell, 'close').then(() => {
    isOver = true
    goOn()
  })
  return {
    /** What the command printed. Throws what it complained of. */
    async paste(command: string): Promise<string> {
      printed = ''
      const done = new Promise<void>((resolve) => (goOn = resolve))
      if (!isOver) shell.stdin.write(`${command}\nprintf '\\0'\n`)
      if (!isOver) await done
      if (complained || isOver) throw new Error(`${command}\n${complained || 'the shell ended'}`)
      return printed.slice(0, -end.length).trim()
    },
    async close() {
      shell.stdin.end()
      await closed
      await rm(folder, { recursive: true })
    },
  }
}
