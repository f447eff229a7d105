import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const checkMs = 50

/** Whether a server says that it takes calls. */
const isReady = (target: string) =>
  new Promise<boolean>((resolve) => {
    const asked = get(`${target}/ready`, { agent: false, timeout: 10_000 }, (reply) => {
      reply.resume()
      resolve(reply.statusCode === 200)
    })
    asked.on('timeout', () => asked.destroy()).on('error', () => resolve(false))
  })

/**
 * A proxy before several servers, as those of production are: it asks each for `/ready`, passes calls on in turn to those that are ready,
 * keeps connections open, and never tries a call again. What a server breaks off is a 502.
 */
export async function startCheckingProxy(targets: readonly string[]) {
  const ready = new Set<string>()
  const agent = new Agent({ keepAlive: true })
  /** Why calls failed here. */
  const failures: string[] = []
  let turn = 0
  const proxy = createServer((asked, reply) => {
    const up = targets.filter((target) => ready.has(target))
    const target = up[turn++ % up.length]
    const fail = (why: string) => {
      failures.push(`${asked.method} ${asked.url}: ${why}`)
      if (reply.headersSent) reply.destroy()
      else reply.writeHead(502).end()
    }
    if (target === undefined) return fail('no server is ready')
    const { method, headers, url } = asked
    const pass = (answer: IncomingMessage) => {
      const { connection: _, 'transfer-encoding': __, ...kept } = answer.headers
      reply.writeHead(answer.statusCode!, kept)
      answer.on('error', (error) => fail(error.message)).pipe(reply)
    }
    const passed = request(`${target}${url}`, { method, headers, agent }, pass)
    passed.on('error', (error) => fail(`${error.message}${passed.reusedSocket ? ' on a kept connection' : ''}`))
    asked.pipe(passed)
  })
  const closing = new AbortController()
  async function check(target: string) {
    while (!closing.signal.aborted) {
      if (await isReady(target)) ready.add(target)
      else ready.delete(target)
      await pause(checkMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
  const checks = Promise.all(targets.map(check))
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    failures,
    isUp: (target: string) => ready.has(target),
    async close() {
      if (closing.signal.aborted) return
      closing.abort()
      await checks
      agent.destroy()
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
