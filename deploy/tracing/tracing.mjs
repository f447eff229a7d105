// Traces of a console by OpenTelemetry, without personal data: addresses are replaced by the route, since they hold what was
// searched for, ids, and the tokens of documents. Statements are sent without their values. Configured by OTEL_… variables.
//
//   npm install --prefix deploy/tracing
//   NODE_OPTIONS="--import $PWD/deploy/tracing/tracing.mjs" npm start
import { subscribe } from 'node:diagnostics_channel'
import { isMainThread } from 'node:worker_threads'
import { trace } from '@opentelemetry/api'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { NodeSDK } from '@opentelemetry/sdk-node'

const removed = '-'
/** What instrumentation of either naming puts an address into. */
const withoutAddress = {
  'url.path': removed,
  'url.query': '',
  'url.full': removed,
  'http.target': removed,
  'http.url': removed,
  'user_agent.original': removed,
  'http.user_agent': removed,
  'client.address': removed,
  'http.client_ip': removed,
  'network.peer.address': removed,
  'net.peer.ip': removed,
}

/** Only hosts are named of what the console calls, since paths of endpoints and nodes hold keys. */
const hostAlone = () => ({
  'url.full': removed,
  'url.path': removed,
  'url.query': '',
  'http.url': removed,
  'http.target': removed,
})

const isHealthCheck = ({ url }) => ['/live', '/ready', '/metrics', '/api/live'].includes((url ?? '').split('?')[0])

// The server, not the scripts of npm that start it.
if (isMainThread && process.argv[1]?.endsWith('src/server/main.ts')) {
  const sdk = new NodeSDK({
    serviceName: process.env.OTEL_SERVICE_NAME ?? 'back-office',
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: isHealthCheck,
        startIncomingSpanHook: () => withoutAddress,
        startOutgoingSpanHook: hostAlone,
      }),
      new UndiciInstrumentation({ startSpanHook: hostAlone }),
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  })
  sdk.start()
  subscribe('tracing:fastify.request.handler:start', ({ request, route }) => {
    const span = trace.getActiveSpan()
    if (!span) return
    const pattern = route?.url ?? 'none'
    span.updateName(`${request.method} ${pattern}`)
    span.setAttributes({ 'http.route': pattern, 'url.path': pattern, 'back_office.request_id': request.id })
  })
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void sdk.shutdown())
}
