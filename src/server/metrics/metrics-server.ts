import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics } from 'prom-client'
import type { Services } from '#server/core/context.ts'
import { createStateMetrics } from './state-metrics.ts'

export interface MetricsServer {
  port: number
  close(): Promise<void>
}

/**
 * Answers `GET /metrics` in Prometheus' text form, on a port of its own that the console's users do not reach. Rejects if the
 * port or address can't be listened on.
 */
export async function startMetricsServer(
  services: Services,
  { port, host }: { port: number; host: string },
): Promise<MetricsServer> {
  const { registry } = services.metrics
  collectDefaultMetrics({ register: registry })
  const state = createStateMetrics(services)
  const server = createServer({ requestTimeout: 10_000 }, async (request, response) => {
    const isAsked = request.url?.split('?')[0] === '/metrics'
    if (!isAsked) return void response.writeHead(404).end('Metrics are at /metrics\n')
    if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end()
    await state.refresh()
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' })
    response.end(await registry.metrics())
  })
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
