import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { createConsoleClient, RefusedError } from './console.ts'
import { type ConsoleEvent, isGenuine, sequences } from './events.ts'
import { openShop } from './shop.ts'

const { CONSOLE_URL = 'http://127.0.0.1:3000', PLATFORM_API_KEY, PLATFORM_WEBHOOK_SECRET, PORT = '4000' } = process.env
if (!PLATFORM_API_KEY || !PLATFORM_WEBHOOK_SECRET) {
  console.error('Set PLATFORM_API_KEY and PLATFORM_WEBHOOK_SECRET as the console has them (see README.md)')
  process.exit(1)
}
const secrets = PLATFORM_WEBHOOK_SECRET.split(/[\s,]+/)
const shop = openShop(createConsoleClient(CONSOLE_URL, PLATFORM_API_KEY))
const checkSequence = sequences()

/** Receives an event and answers at once. Slow work is done afterwards. */
function receive({ headers }: IncomingMessage, body: string): [number, unknown] {
  if (!isGenuine(secrets, headers, body)) return [401, { message: 'This is not signed by the console' }]
  const event = JSON.parse(body) as ConsoleEvent
  const place = checkSequence(event)
  if (place !== 'old') {
    const about = event.data.orderNumber ?? event.data.memberId ?? 'a token'
    console.log(`heard ${event.type} of ${about}${shop.knows(event) ? '' : ', which is not known here'}`)
    const later = place === 'next' ? shop.hear(event) : () => shop.catchUp(event)
    later?.().catch((error: unknown) => console.error(String(error)))
  }
  return [204, undefined]
}

/** A required field of the shop's own callers. */
function field(body: string, name: string): string {
  const given = Object(JSON.parse(body || '{}')) as Record<string, unknown>
  const value = given[name]
  if (typeof value !== 'string' || value === '') throw new RefusedError(400, `${name} is missing`)
  return value
}

async function answer(request: IncomingMessage, body: string): Promise<[number, unknown]> {
  const [, first = '', id = '', what] = (request.url ?? '/').split('/')
  switch (`${request.method} /${first}${id && '/:id'}${what ? `/${what}` : ''}`) {
    case 'POST /events':
      return receive(request, body)
    case 'POST /sign-up':
      return [201, await shop.signUp(field(body, 'email'), field(body, 'firstName'), field(body, 'lastName'))]
    case 'GET /members/:id':
      return [200, shop.find(id)]
    case 'POST /members/:id/kyc':
      return [200, await shop.handInKyc(id)]
    case 'POST /members/:id/wallets':
      return [201, await shop.addWallet(id)]
    case 'GET /orders/:id/payment':
      return [200, { html: await shop.showPayment(id) }]
    case 'POST /members/:id/orders':
      return [201, await shop.placeOrder(id, field(body, 'amount'), field(body, 'currency'))]
    default:
      return [404, { message: 'There is no such address' }]
  }
}

async function serve(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const [status, said] = await text(request)
    .then((body) => answer(request, body))
    .catch((error: unknown): [number, unknown] => {
      if (error instanceof RefusedError) return [error.status, { message: error.message }]
      if (error instanceof SyntaxError) return [400, { message: 'The body is not JSON' }]
      console.error(error)
      return [500, { message: 'Something went wrong in the shop' }]
    })
  const { html } = Object(said) as { html?: string }
  reply.writeHead(status, { 'content-type': html === undefined ? 'application/json' : 'text/html; charset=utf-8' })
  reply.end(html ?? (said === undefined ? undefined : JSON.stringify(said)))
}

const server = createServer((request, reply) => void serve(request, reply))
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') console.log(`The shop is open: http://127.0.0.1:${address.port}`)
})
