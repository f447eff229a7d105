import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const memoryFolder = '/dev/shm'
/** The free memory, in bytes, from which the files of a run are kept in it. */
const leastMemory = 8 * 1024 ** 3

/**
 * Where the temporary files of a run lie: in memory where there is plenty, since each test file copies a database of some 800 files,
 * which took half a second on a disk and takes 20 ms in memory. Files there must be executable.
 */
function findTemporaryFolder() {
  if (process.env.TMPDIR) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(memoryFolder)
    const options = /^\S+ \/dev\/shm \S+ (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8'))?.[1].split(',') ?? ['ro']
    const isUsable = !options.includes('ro') && !options.includes('noexec')
    return isUsable && Math.min(bavail * bsize, freemem()) > leastMemory ? memoryFolder : tmpdir()
  } catch {
    return tmpdir() // no such folder on this system
  }
}

/**
 * Does work whose temporary files all lie in one folder. Afterwards the folder is removed, and whatever process of the work still
 * runs is killed, also if this process is killed. Resolves to the result, and to the command lines of processes that had not ended.
 */
export async function inRunFolder(work) {
  // Short, because the path of a Unix socket has about a hundred characters. PostgreSQL runs as another account.
  const folder = mkdtempSync(join(findTemporaryFolder(), 'bo-'))
  chmodSync(folder, 0o711)
  const cleaner = spawn(process.execPath, [join(import.meta.dirname, 'clean-up.mjs'), folder], {
    detached: true, // Ctrl-C must not reach it
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const outer = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    return { value: await work(), leftBehind: await cleanUp(cleaner) }
  } finally {
    cleaner.stdin.end()
    if (outer === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = outer
  }
}

async function cleanUp(cleaner) {
  let text = ''
  cleaner.stdout.on('data', (chunk) => (text += chunk))
  cleaner.stdin.end()
  await once(cleaner, 'close')
  return text.split('\n').filter(Boolean)
}
