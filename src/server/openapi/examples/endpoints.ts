import type { Endpoint } from '#contract/schemas/endpoints.ts'
import type { ExamplesOf } from './example-types.ts'
import { at, later } from './samples.ts'

const endpoint: Endpoint = {
  id: '3',
  name: 'Billing',
  isFromSettings: false,
  host: 'billing.example.com',
  types: ['order.paid', 'order.cancelled'],
  isOn: true,
  state: 'healthy',
  pausedAt: null,
  failingSince: null,
  lastSuccessAt: later,
  waiting: 0,
  oldestWaitingAt: null,
  failed: 0,
  secrets: 1,
  secretSetAt: at,
  version: 1,
  createdAt: at,
}
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const params = { id: '3' }

export const endpoints: ExamplesOf<'endpoints'> = {
  list: { reply: { endpoints: [endpoint] } },
  create: {
    body: { name: 'Billing', url: 'https://billing.example.com/events', types: ['order.paid', 'order.cancelled'] },
    reply: { endpoint: { ...endpoint, state: 'untried', lastSuccessAt: null }, secret },
  },
  update: {
    params,
    body: { isOn: false },
    reply: { message: 'The endpoint was changed', endpoint: { ...endpoint, isOn: false, state: 'off', version: 2 } },
  },
  remove: { params, query: { dropOpen: 'true' }, reply: { message: 'The endpoint was deleted', dropped: 4 } },
  rotateSecret: { params, reply: { endpoint: { ...endpoint, secrets: 2, version: 2 }, secret } },
  endOldSecret: { params, reply: { message: 'The new secret signs alone', endpoint: { ...endpoint, version: 3 } } },
  resume: { params, reply: { message: 'Events go out again', endpoint } },
  test: {
    params,
    reply: { message: 'The test event goes out now', eventId: '0d8a7c5e-9d3f-4b47-8a3e-2f6f1c0f7b11' },
  },
}
