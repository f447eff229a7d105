/** An endpoint for events. Refuses the given share of posts. GET returns the accepted events in order. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { receiveGiven } from './given.ts'

const { failing } = await receiveGiven<{ failing: number }>()

/** An accepted event: its entity and its number within the entity. */
export interface ReceivedEvent {
  id: string
  memberId: string
  sequence: number
}
const receivedEvents: ReceivedEvent[] = []
let posts = 0

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify({ taken: receivedEvents, posts }))
  void json(request).then((body) => {
    posts++
    if (Math.random() < failing) return response.writeHead(500).end()
    const { sequence, data } = body as { sequence: number; data: { memberId: string } }
    receivedEvents.push({ id: String(request.headers['webhook-id']), memberId: data.memberId, sequence })
    return response.writeHead(200).end()
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.once('disconnect', () => process.exit(0))
