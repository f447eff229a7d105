import { contextFor, type Services } from '#server/core/context.ts'
import { type Channel, sendDue } from '#server/features/messages/service.ts'

/** Sends what is due of a channel (product 10.4, 11.1). */
export const sendMessages = (channel: Channel) => async (services: Services, stop: AbortSignal) => {
  await sendDue(contextFor(services, { kind: 'system', name: 'queue' }), channel, stop)
}
