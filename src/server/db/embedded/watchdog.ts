import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { spawnIdentity } from './account.ts'
import { program } from './binaries.ts'
import { StartError } from './errors.ts'
import type { DatabaseLocation } from './location.ts'
import { childEnvironment } from './server-settings.ts'

/**
 * One small shell per console. It leaves a mark named by its pid in `run/users`, and when its pipe ends, because the
 * console stops or was killed, it takes the mark back. The last one to leave asks the database for a fast shutdown.
 * Marks of the dead do not count: a live watchdog works in the folder of the marks. On macOS, without /proc, a live pid will do.
 */
const script = `
trap '' INT TERM HUP
cd "$USERS" || exit 1
: > $$ || exit 1
echo ready
cat > /dev/null
rm -f $$
for other in *; do
  if [ -d /proc/self ]; then [ /proc/$other/cwd -ef . ] && exit 3
  else kill -0 "$other" 2> /dev/null && exit 3
  fi
  rm -f "$other"
done
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  pid=$(head -n 1 "$CLUSTER/postmaster.pid" 2> /dev/null)
  if [ -n "$pid" ]; then
    if [ -d /proc/self ]; then [ "/proc/$pid/cwd" -ef "$CLUSTER" ] && kill -INT "$pid" && exit 0
    else case "$(ps -o args= -p "$pid")" in *"$CLUSTER"*) kill -INT "$pid" && exit 0 ;; esac
    fi
  fi
  sleep 0.2
done
`
const stillInUse = 3

export interface Watchdog {
  /** Gives the mark back. True: this was the last console and the database has been asked to stop. */
  leave(): Promise<boolean>
}

/** Attaches a watchdog before the server starts, so that a killed console never leaves one behind. */
export async function attachWatchdog(place: DatabaseLocation, native: string): Promise<Watchdog> {
  if (process.platform === 'win32') return withoutShell(place, native)
  const dog = spawn('/bin/sh', ['-c', script], {
    ...spawnIdentity(place.account),
    env: { ...childEnvironment(), USERS: join(place.run, 'users'), CLUSTER: place.cluster },
    cwd: '/',
    detached: true, // Ctrl-C must not reach it
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise<number | null>((done) => {
    dog.once('exit', done)
    dog.once('error', () => done(null))
  })
  const ready = await Promise.race([once(dog.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!ready) throw new StartError(`The database's watchdog does not start in ${place.run}.`)
  dog.stdin.on('error', () => {})
  dog.stdout.destroy()
  dog.unref()
  unrefPipe(dog.stdin)
  return {
    async leave() {
      dog.ref()
      dog.stdin.end()
      return (await ended) !== stillInUse
    },
  }
}

function unrefPipe(pipe: object): void {
  if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref()
}

// Windows has neither the shell nor signals: the last and only console stops the server, and a killed one leaves it to the next.
function withoutShell(place: DatabaseLocation, native: string): Watchdog {
  return {
    async leave() {
      execFileSync(program(native, 'pg_ctl'), ['stop', '-m', 'fast', '-D', place.cluster], { stdio: 'ignore' })
      return true
    },
  }
}
