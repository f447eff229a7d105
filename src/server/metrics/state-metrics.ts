import { setTimeout as pause } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import { indexerStates } from '#contract/chain.ts'
import { contextFor, type Services } from '#server/core/context.ts'
import { readIntegrity } from '#server/features/audit-chain/service.ts'
import { readChainHealth } from '#server/features/chain/service.ts'
import { readQueue } from '#server/features/messages/service.ts'
import { countCritical } from '#server/features/security/service.ts'
import { metricPrefix } from './metrics.ts'

/** Whoever asks for metrics waits no longer for the database; without it they have those of the process alone. */
const patienceMs = 5000

/** Gauges of what the database holds and of the pool. `refresh` reads them anew; it never throws. */
export function createStateMetrics(services: Services): { refresh(): Promise<void> } {
  const { database, metrics } = services
  const registers = [metrics.registry]
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge<Label>({ name: metricPrefix + name, help, labelNames, registers })

  const isUp = gauge('database_up', '1 if the database answered the last scrape')
  const connections = gauge('database_pool_connections', 'Connections of the pool; state is busy or idle', ['state'])
  const waiting = gauge('database_pool_waiting', 'Calls that wait for a connection of the pool')
  const messages = gauge('messages', 'Messages that are to go out; state is open or failed', ['channel', 'state'])
  const oldest = gauge('message_oldest_open_seconds', 'Age of the oldest message that is to go out', ['channel'])
  const indexer = gauge('chain_indexer_state', '1 for the state of reading the chain, 0 for the others', ['state'])
  const lagBlocks = gauge('chain_indexer_lag_blocks', 'Blocks between the head of the chain and what is read')
  const lagSeconds = gauge('chain_indexer_lag_seconds', 'Age of the last block that was read')
  const unsealed = gauge('audit_unsealed_entries', 'Entries of the audit log that are not yet sealed')
  const verifiedAt = gauge('audit_verified_timestamp_seconds', 'When the audit log was verified last')
  const badEntries = gauge('audit_bad_entries', 'Entries that the last verification found altered or missing')
  const critical = gauge('security_events_critical_unresolved', 'Critical security events that nobody has resolved')

  const ofDatabase = [messages, oldest, indexer, lagBlocks, lagSeconds, unsealed, verifiedAt, badEntries, critical]

  async function read() {
    const ctx = contextFor(services, { kind: 'system', name: 'metrics' })
    return {
      queue: await readQueue(ctx),
      health: await readChainHealth(services),
      integrity: await readIntegrity(ctx),
      criticalEvents: await countCritical(ctx),
    }
  }

  function show({ queue, health, integrity, criticalEvents }: Awaited<ReturnType<typeof read>>) {
    for (const { channel, open, failed, oldestOpenSeconds } of queue) {
      messages.set({ channel, state: 'open' }, open)
      messages.set({ channel, state: 'failed' }, failed)
      oldest.set({ channel }, oldestOpenSeconds)
    }
    for (const state of indexerStates) indexer.set({ state }, Number(state === health.indexer))
    if (health.lagBlocks !== null) lagBlocks.set(health.lagBlocks)
    if (health.lagSeconds !== null) lagSeconds.set(health.lagSeconds)
    unsealed.set(integrity.chain.waiting)
    if (integrity.verification) {
      verifiedAt.set(Date.parse(integrity.verification.at) / 1000)
      badEntries.set(integrity.verification.badEntries)
    }
    critical.set(criticalEvents)
  }

  let underWay: ReturnType<typeof read> | undefined
  return {
    async refresh() {
      const { totalCount, idleCount, waitingCount } = database.pool
      connections.set({ state: 'busy' }, totalCount - idleCount)
      connections.set({ state: 'idle' }, idleCount)
      waiting.set(waitingCount)
      underWay ??= read().finally(() => (underWay = undefined))
      const found = await Promise.race([underWay, pause(patienceMs, undefined, { ref: false })]).catch(() => undefined)
      isUp.set(Number(found !== undefined))
      // What was true before the database went away is no news.
      for (const each of ofDatabase) each.reset()
      if (found) show(found)
    },
  }
}
