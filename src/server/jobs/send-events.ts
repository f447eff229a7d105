import { contextFor, type Services } from '#server/context.ts'
import { sendDueEvents } from '#server/features/events/service.ts'

/** Sends the events that are due to the platform (PRODUCT section 4, Event webhooks). */
export async function sendEvents(services: Services, stop: AbortSignal): Promise<void> {
  await sendDueEvents(contextFor(services, { kind: 'system', name: 'queue' }), stop)
}
