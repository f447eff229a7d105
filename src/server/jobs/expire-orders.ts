import { contextFor, type Services } from '#server/core/context.ts'
import { expireOrders as expireDueOrders } from '#server/features/orders/service.ts'
import { expiryActor } from '#server/features/orders/state.ts'

/** Expires what is due, as the system itself (product 7.4). */
export async function expireOrders(services: Services): Promise<void> {
  await expireDueOrders(contextFor(services, { kind: 'system', name: expiryActor }))
}
