import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics } from 'prom-client'
import type { Services } from '#server/core/context.ts'
import { createStateMetrics } from './state-metrics.ts'

export interface MetricsServer {
  port: number
  close: () => Promise<void>
}

/**
 * Answers `GET /metrics` in Prometheus' text form, on a port of its own that the console's users do not reach. Rejects
 * if the port or address can't be listened on.
 */
export async function startMetricsServer(
  services: Services,
  { port, host }: { port: number; host: string },
): Promise<MetricsServer> {
  const { registry } = services.metrics
  collectDefaultMetrics({ register: registry })
  const refresh = createStateMetrics(services)

  async function answer({ url, method }: IncomingMessage, response: ServerResponse) {
    if (url?.split('?')[0] !== '/metrics') return response.writeHead(404).end('Metrics are at /metrics\n')
    if (method !== 'GET') return response.writeHead(405, { allow: 'GET' }).end()
    await refresh()
    const text = await registry.metrics()
    return response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
  }

  const server = createServer({ requestTimeout: 10_000 }, (request, response) => void answer(request, response))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
