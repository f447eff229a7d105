import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Does work whose temporary files all lie in one folder. Afterwards the folder is removed, and whatever process of the work still
 * runs is killed, also if this process is killed. Resolves to the result, and to the command lines of processes that had not ended.
 */
export async function inRunFolder(work) {
  // Short, because the path of a Unix socket has about a hundred characters. PostgreSQL runs as another account.
  const folder = mkdtempSync(join(tmpdir(), 'bo-'))
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
