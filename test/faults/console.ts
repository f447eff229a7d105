import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { waitForAddress } from '#test/support/console-process.ts'

const root = join(import.meta.dirname, '../..')

interface ConsoleOptions {
  environment: Record<string, string>
  /** Modules that are loaded before the server. */
  preload?: string[]
  /** Gets the lines of failed requests, which the server logs as errors. */
  onFault?: (line: string) => void
}

/** A console as a process of its own. */
export interface ConsoleProcess {
  url: string
  readonly pid: number
  isRunning(): boolean
  kill(): Promise<void>
  /** As systemd ends it. Answers its exit code. */
  stop(): Promise<number | null>
}

/** Only what is named here reaches the process, so that settings of the shell change nothing. */
const buildEnvironment = (environment: Record<string, string>) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  // What was compiled once is loaded by each later start.
  NODE_COMPILE_CACHE: join(root, '.cache/compiled'),
  NODE_ENV: 'production',
  ...environment,
})

/** Starts a console and waits until it answers. */
export async function startConsole({ environment, preload = [], onFault }: ConsoleOptions): Promise<ConsoleProcess> {
  const imports = preload.flatMap((file) => ['--import', file])
  const child = spawn(process.execPath, [...imports, join(root, 'src/server/main.ts')], {
    env: buildEnvironment(environment),
    // By the channel it ends with this process, however that ends.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  createInterface({ input: child.stdout! }).on('line', (line) => line.includes('"request failed"') && onFault?.(line))
  const url = await waitForAddress(child)
  return {
    url,
    pid: child.pid!,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
  }
}

/** Runs a command of `npm run admin`. Answers its exit code and what it printed. */
export async function runAdmin(args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(root, 'src/server/cli/admin.ts'), ...args], {
    env: buildEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, text: `${output}${errors}`.trim() }
}
