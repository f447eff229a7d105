// Waits until who started it closes its input or dies. Then it ends the processes of a folder, prints those that had to be killed,
// and removes the folder.
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

const folder = process.argv[2]
const graceMs = 20_000

const read = (path, reader = readFileSync) => {
  try {
    return String(reader(path))
  } catch {
    return '' // it has ended meanwhile, or belongs to nobody we may look at
  }
}

/** A process belongs to the folder if it works there, was started with a path in it, or has it for its temporary files. */
const isOfFolder = (pid) => {
  const cwd = read(`/proc/${pid}/cwd`, readlinkSync)
  if (cwd === folder || cwd.startsWith(`${folder}/`)) return true
  return [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`].some((path) => read(path).includes(folder))
}

const isZombie = (pid) => /^State:\s*Z/m.test(read(`/proc/${pid}/status`))

function findProcesses() {
  let names = []
  try {
    names = readdirSync('/proc')
  } catch {
    return [] // no /proc on this system
  }
  return names
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && isOfFolder(name) && !isZombie(name))
    .map(Number)
}

process.on('SIGPIPE', () => {})
process.stdout.on('error', () => {})
await text(process.stdin)
for (const end = performance.now() + graceMs; findProcesses().length > 0 && performance.now() < end;) await delay(50)
for (const pid of findProcesses()) {
  console.log(`${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()}`)
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended meanwhile
  }
}
while (findProcesses().length > 0) await delay(50)
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
