import { contextFor, type Services } from '#server/core/context.ts'
import { indexTransfers } from '#server/features/chain/service.ts'

/** Reads transfers from the chain, as the system itself. */
export async function indexChain(services: Services, stop: AbortSignal): Promise<void> {
  await indexTransfers(contextFor(services, { kind: 'system', name: 'indexer' }), stop)
}
