import { contextFor, type Services } from '#server/context.ts'
import { queueName, sendDueCases } from '#server/features/webhooks/service.ts'

/** Sends the cases that are due to the KYC provider (PRODUCT 3.18). */
export async function retryKyc(services: Services, stop: AbortSignal): Promise<void> {
  await sendDueCases(contextFor(services, { kind: 'system', name: queueName }), stop)
}
