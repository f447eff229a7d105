import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { endProcess, waitForAddress } from './support/console-process.ts'

const root = join(import.meta.dirname, '..')
/** What a console runs from, without the folder `demo`. */
const copy = mkdtempSync(join(tmpdir(), 'back-office-without-demo-'))
for (const path of ['package.json', 'src/contract', 'src/server', 'drizzle'])
  cpSync(join(root, path), join(copy, path), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
afterAll(() => rmSync(copy, { recursive: true }))

function start(settings: Record<string, string>) {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    cwd: copy,
    env: { PATH, HOME, PORT: '0', DATA_DIR: join(copy, 'own'), ...settings },
    // The channel ends it together with the worker that started it, however that ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  onTestFinished(() => endProcess(child))
  return child
}

test.each([
  ['demo data', {}, 'demo data is wanted. Set DEMO=off'],
  ['a local chain', { DEMO: 'off', CHAIN_MODE: 'embedded' }, 'CHAIN_MODE is embedded. Set it to rpc or off'],
])('without the demo’s folder a start that asks for %s says so', async (_what, settings, reason) => {
  const child = start(settings)
  const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  expect([said, code]).toEqual([`Cannot start: the folder demo is missing from this installation, but ${reason}\n`, 1])
})

test('without the demo’s folder a console starts with DEMO=off', async () => {
  const url = await waitForAddress(start({ DEMO: 'off' }))
  expect((await fetch(`${url}/ready`)).status).toBe(200)
})
