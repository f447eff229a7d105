import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const port = 42_069
const patienceMs = 180_000

const config = (url: string, tokens: readonly string[]) => `
import { createConfig, onchainTable, count } from 'ponder'
import { erc20Abi } from 'viem'
export default createConfig({
  chains: { local: { id: 1337, rpc: ${JSON.stringify(url)} } },
  contracts: { Token: { abi: erc20Abi, chain: 'local', address: ${JSON.stringify(tokens)}, startBlock: 0 } },
})
`
const schema = `
export const transfer = onchainTable('transfer', (t) => ({
  id: t.text().primaryKey(), token: t.hex(), from: t.hex(), to: t.hex(), amount: t.bigint(), at: t.bigint(),
}))
`
const handler = `
import { ponder } from 'ponder:registry'
import { transfer } from 'ponder:schema'
ponder.on('Token:Transfer', async ({ event, context }) => {
  const { from, to, value } = event.args
  await context.db.insert(transfer).values({
    id: event.id, token: event.log.address, from, to, amount: value, at: event.block.timestamp,
  })
})
`
const api = `
import { Hono } from 'hono'
import { db } from 'ponder:api'
const app = new Hono()
app.get('/count', async (c) => c.json((await db.select({ count: count() }).from(transfer))[0]))
export default app
`

/** Resident memory of a process and its children. */
async function folderMegabytes(pid: number): Promise<number> {
  const stats = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => ({
        pid: Number(name),
        status: await readFile(`/proc/${name}/status`, 'utf8').catch(() => ''),
      })),
  )
  const field = (status: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  const ours = new Set([pid])
  for (let size = 0; size < ours.size;) {
    size = ours.size
    for (const each of stats) if (ours.has(field(each.status, 'PPid'))) ours.add(each.pid)
  }
  return stats.filter((each) => ours.has(each.pid)).reduce((sum, { status }) => sum + field(status, 'VmRSS'), 0) / 1024
}

async function countRows(): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${port}/count`).catch(() => undefined)
  return reply?.ok ? ((await reply.json()) as { count: number }).count : 0
}

/** Reads the same transfers with ponder into its own PGlite. */
export async function runPonder(given: { folder: string; url: string; tokens: readonly string[]; expected: number }) {
  const { folder, url, tokens, expected } = given
  for (const left of ['.ponder', 'src', 'generated']) await rm(join(folder, left), { recursive: true, force: true })
  await mkdir(join(folder, 'src/api'), { recursive: true })
  await writeFile(join(folder, 'ponder.config.ts'), config(url, tokens))
  await writeFile(join(folder, 'ponder.schema.ts'), schema)
  await writeFile(join(folder, 'src/index.ts'), handler)
  await writeFile(join(folder, 'src/api/index.ts'), api)
  const args = ['node_modules/ponder/dist/esm/bin/ponder.js', 'start', '--schema', 'bench', '--port', String(port)]
  const begun = performance.now()
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, PONDER_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let [megabytes, events, firstAt] = [0, 0, 0]
  try {
    while (child.exitCode === null && performance.now() - begun < patienceMs) {
      megabytes = Math.max(megabytes, Math.round(await folderMegabytes(child.pid!)))
      events = await countRows()
      if (events > 0 && firstAt === 0) firstAt = performance.now()
      if (events >= expected) break
      await pause(50)
    }
    const ended = performance.now()
    return {
      events,
      megabytes,
      seconds: (ended - begun) / 1000,
      readingSeconds: firstAt ? (ended - firstAt) / 1000 : 0,
    }
  } finally {
    child.kill('SIGTERM')
  }
}
