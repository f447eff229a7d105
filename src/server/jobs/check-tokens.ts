import { contextFor, type Services } from '#server/core/context.ts'
import { checkTokens } from '#server/features/tokens/service.ts'

/** Reads what the contracts of registered tokens say of themselves, so that the registry can show what differs. */
export async function checkTokenContracts(services: Services, stop: AbortSignal): Promise<void> {
  await checkTokens(contextFor(services, { kind: 'system', name: 'check-tokens' }), stop)
}
