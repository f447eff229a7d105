import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { freePort } from '#test/support/free-port.ts'
import type { Node, Pair } from './pair.ts'

const program = ['/usr/sbin/haproxy', '/usr/bin/haproxy', '/opt/homebrew/bin/haproxy'].find(existsSync)
const manual = join(import.meta.dirname, '../../docs/operating.md')

export const findObstacle = () => (program ? undefined : 'HAProxy is not installed: apt-get install haproxy')

/** Says whether a server of the pair is the primary, as Patroni does beside each. */
async function startRoleResponder(node: Node) {
  const readRole = () => node.query((client) => client.query('SELECT WHERE NOT pg_is_in_recovery()'))
  const responder = createServer(({ url }, reply) => {
    const answer = (isPrimary: boolean) => reply.writeHead(url === '/primary' && isPrimary ? 200 : 503).end()
    readRole().then(
      ({ rowCount }) => answer(rowCount === 1),
      () => answer(false),
    )
  })
  responder.listen(0, '127.0.0.1')
  await once(responder, 'listening')
  return responder
}

/** The configuration of docs/operating.md, with the addresses of this machine. */
async function readConfiguration(places: Readonly<Record<string, string>>): Promise<string> {
  const text = await readFile(manual, 'utf8')
  const [, shown] = /```haproxy\n(defaults\n.*?\nlisten console-database\n.*?)```/s.exec(text) ?? []
  return Object.entries(places).reduce((filled, [from, to]) => {
    if (!filled.includes(from)) throw new Error(`docs/operating.md shows no HAProxy with ${from}`)
    return filled.replace(from, to)
  }, shown ?? '')
}

/** Starts HAProxy before both servers, as docs/operating.md shows it: at `port` it leads to whichever is the primary. */
export async function startHaproxy({ nodes }: Pair, folder: string) {
  const responders = await Promise.all(nodes.map(startRoleResponder))
  const port = await freePort()
  const places = nodes.map(({ connection }, at) => [
    `db${at + 1}.internal:5432 check port 8008`,
    `127.0.0.1:${connection.port} check port ${(responders[at]!.address() as AddressInfo).port}`,
  ])
  const file = join(folder, 'haproxy.cfg')
  await writeFile(
    file,
    await readConfiguration({ '127.0.0.1:5433': `127.0.0.1:${port}`, ...Object.fromEntries(places) }),
  )
  // In the foreground, so that it ends with its process.
  const child = spawn(program!, ['-q', '-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  return {
    port,
    async close() {
      child.kill('SIGKILL')
      await ended
      for (const responder of responders) responder.close()
    },
  }
}
