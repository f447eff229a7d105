/**
 * How a flood of refused calls affects operators: p50 of GET /api/users during unsigned KYC results, compared with as many
 * plain calls without a session. Rounds alternate.
 *
 *   node bench/flood.ts [--seconds 5] [--rounds 3] [--calls 400]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { head, measure, median, row, serve, type Server } from './measuring.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    calls: { type: 'string', default: '400' },
  },
})
const [seconds, rounds, callsPerSecond] = [options.seconds, options.rounds, options.calls].map(Number) as [
  number,
  number,
  number,
]

/** Sends this many calls a second until it is stopped, without waiting for answers. Returns the number of 401 answers. */
function flood({ port }: Server, path: string): () => number {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const body = JSON.stringify({ caseId: 'x', userId: 'x', result: 'approved' })
  let refused = 0
  const send = () => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (reply) => {
      if (reply.statusCode === 401) refused++
      reply.resume()
    })
    sent.on('error', () => {}).end(body)
  }
  const every = setInterval(() => {
    for (let n = 0; n < callsPerSecond / 20; n++) send()
  }, 50)
  return () => {
    clearInterval(every)
    agent.destroy()
    return refused
  }
}

const floods = [
  ['unsigned KYC results', '/api/platform/v1/kyc-results'],
  ['calls without a session', '/api/users/x/unban'],
  ['nothing', undefined],
] as const

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
try {
  await migrateDatabase(postgres.connection)
  for (const [name, settings] of [
    ['with a provider', { KYC_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }],
    ['without a provider', {}],
  ] as const) {
    const served = await serve('console.ts', { connection: postgres.connection, settings })
    console.log(`${name}, ${callsPerSecond} calls a second, ${cpus().length} processors, Node ${process.version}`)
    head()
    const p50 = new Map<string, number[]>()
    for (let round = 0; round <= rounds; round++)
      for (const [what, path] of floods) {
        const stop = path && flood(served, path)
        const seen = await measure(served, '/api/users', round === 0 ? 1 : seconds)
        const refused = stop?.() ?? 0
        await pause(300)
        if (round === 0) continue
        row(`beside ${what}${path ? ` (${refused} refused)` : ''}`, seen)
        p50.set(what, [...(p50.get(what) ?? []), seen.p50])
      }
    const [ours, plain] = floods.map(([what]) => median(p50.get(what)!))
    console.log(`p50 beside unsigned results / beside plain calls: × ${(ours! / plain!).toFixed(2)}`)
    served.stop()
  }
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
