import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { say } from './process.mjs'

const locks = '.cache/locks'
const beatMs = 2000
const staleMs = 30_000

/** Does `work` unless `isDone`, in only one process: a second one waits and finds it done. Prints the time it took. */
export async function stage(name, label, isDone, work) {
  if (isDone()) return
  const release = await lock(name, label)
  try {
    if (isDone()) return
    const start = Date.now()
    say(`${label} …`)
    await work()
    say(`${label}: done in ${((Date.now() - start) / 1000).toFixed(1)} s`)
  } finally {
    release()
  }
}

/** A stage with a stamp file that contains the hash of its inputs. */
export function stampedStage(name, label, { stamp, inputs, extra = '' }, work) {
  const isDone = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(inputs) + extra
  return stage(name, label, isDone, async () => {
    const hash = hashOf(inputs) + extra // before the work: a change while it runs must lead to another run
    rmSync(stamp, { force: true })
    await work()
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, hash)
  })
}

function hashOf(paths) {
  const hash = createHash('sha256')
  const add = (path) => {
    if (!existsSync(path)) return
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).toSorted()) add(join(path, name))
    else hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  }
  paths.forEach(add)
  return hash.digest('hex')
}

/**
 * Takes a lock directory with its owner's pid, created by a rename. Takes over a lock whose owner is dead or no longer renews
 * it, because another process may have the pid by now.
 */
async function lock(name, label) {
  const folder = join(locks, name)
  const draft = `${folder}.${process.pid}`
  mkdirSync(locks, { recursive: true })
  for (let hasSaid = false; ; await delay(200)) {
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft)
    writeFileSync(join(draft, 'pid'), String(process.pid))
    try {
      renameSync(draft, folder)
      break
    } catch (error) {
      rmSync(draft, { recursive: true, force: true })
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) throw error
    }
    if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true })
    else if (!hasSaid) say(`${label}: waiting for another process that does it`)
    hasSaid = true
  }
  const beat = setInterval(() => utimesSync(folder, new Date(), new Date()), beatMs)
  const release = () => {
    clearInterval(beat)
    rmSync(folder, { recursive: true, force: true })
    process.off('exit', release)
  }
  process.on('exit', release)
  return release
}

function isAbandoned(folder) {
  try {
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    return !isAlive(pid) || Date.now() - statSync(folder).mtimeMs > staleMs
  } catch {
    return false // released a moment ago
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
