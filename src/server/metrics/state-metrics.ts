import { setTimeout as pause } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import { indexerStates } from '#contract/chain.ts'
import { contextFor, type Services } from '#server/core/context.ts'
import { readOldestWriteSeconds } from '#server/db/changes.ts'
import { readCopiedAt, readIntegrity } from '#server/features/audit-chain/service.ts'
import { readBackupHealth } from '#server/features/backups/service.ts'
import { readChainHealth } from '#server/features/chain/service.ts'
import { readQueue } from '#server/features/messages/service.ts'
import { countCritical } from '#server/features/security/service.ts'
import { metricPrefix, type Metrics } from './metrics.ts'

/** How long a request for metrics waits for the database; without it the answer has those of the process alone. */
const patienceMs = 5000

function createGauges({ registry }: Metrics) {
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge<Label>({ name: metricPrefix + name, help, labelNames, registers: [registry] })
  const gauges = {
    ofServer: {
      isUp: gauge('database_up', '1 if the database answered the last scrape'),
      connections: gauge('database_pool_connections', 'Connections of the pool; state is busy or idle', ['state']),
      waiting: gauge('database_pool_waiting', 'Calls that wait for a connection of the pool'),
    },
    ofDatabase: {
      messages: gauge('messages', 'Messages that are to go out; state is open or failed', ['channel', 'state']),
      oldest: gauge('message_oldest_open_seconds', 'Age of the oldest message that is to go out', ['channel']),
      indexer: gauge('chain_indexer_state', '1 for the state of reading the chain, 0 for the others', ['state']),
      lagBlocks: gauge('chain_indexer_lag_blocks', 'Blocks between the head of the chain and what is read'),
      lagSeconds: gauge('chain_indexer_lag_seconds', 'Age of the last block that was read'),
      oldestWrite: gauge('oldest_write_transaction_seconds', 'How long the oldest writing transaction has been open'),
      unsealed: gauge('audit_unsealed_entries', 'Entries of the audit log that are not yet sealed'),
      verifiedAt: gauge('audit_verified_timestamp_seconds', 'When the audit log was verified last'),
      copiedAt: gauge('audit_copied_timestamp_seconds', 'When the audit log was copied beside the back-ups last'),
      badEntries: gauge('audit_bad_entries', 'Entries that the last verification found altered or missing'),
      critical: gauge('security_events_critical_unresolved', 'Critical security events that nobody has resolved'),
      backupAt: gauge('backup_last_timestamp_seconds', 'The moment of the last back-up by the clock'),
      backupFailing: gauge('backup_failing', '1 if the last try of a back-up by the clock failed'),
      backupOverdue: gauge('backup_overdue', '1 if the last back-up is older than twice the time between two'),
    },
  }
  return {
    ...gauges,
    /** Leaves the figures of the database out. */
    clear: () => {
      const { messages, oldest, indexer, ...withoutLabels } = gauges.ofDatabase
      for (const each of [messages, oldest, indexer]) each.reset()
      // Reset to 0 they would still be figures.
      for (const each of Object.values(withoutLabels)) each.remove()
    },
  }
}

async function readState(services: Services) {
  const ctx = contextFor(services, { kind: 'system', name: 'metrics' })
  return {
    queue: await readQueue(ctx),
    health: await readChainHealth(services),
    oldestWriteSeconds: await readOldestWriteSeconds(services.database),
    integrity: await readIntegrity(ctx),
    copiedAt: await readCopiedAt(services),
    criticalEvents: await countCritical(ctx),
    backup: await readBackupHealth(services),
  }
}
type State = Awaited<ReturnType<typeof readState>>

function showState(to: ReturnType<typeof createGauges>['ofDatabase'], state: State): void {
  const { queue, health, integrity, criticalEvents, backup } = state
  for (const { channel, open, failed, oldestOpenSeconds } of queue) {
    to.messages.set({ channel, state: 'open' }, open)
    to.messages.set({ channel, state: 'failed' }, failed)
    to.oldest.set({ channel }, oldestOpenSeconds)
  }
  for (const each of indexerStates) to.indexer.set({ state: each }, Number(each === health.indexer))
  if (health.lagBlocks !== null) to.lagBlocks.set(health.lagBlocks)
  if (health.lagSeconds !== null) to.lagSeconds.set(health.lagSeconds)
  to.oldestWrite.set(state.oldestWriteSeconds)
  to.unsealed.set(integrity.chain.waiting)
  if (integrity.verification) {
    to.verifiedAt.set(Date.parse(integrity.verification.at) / 1000)
    to.badEntries.set(integrity.verification.badEntries)
  }
  if (state.copiedAt) to.copiedAt.set(Date.parse(state.copiedAt) / 1000)
  to.critical.set(criticalEvents)
  if (!backup) return
  if (backup.lastAt !== null) to.backupAt.set(Date.parse(backup.lastAt) / 1000)
  to.backupFailing.set(Number(backup.isFailing))
  to.backupOverdue.set(Number(backup.isOverdue))
}

/** Gauges of what the database holds and of the pool. Returns how to read them again, which never throws. */
export function createStateMetrics(services: Services): () => Promise<void> {
  const { ofServer, ofDatabase, clear } = createGauges(services.metrics)
  let underWay: Promise<State> | undefined
  return async () => {
    const { totalCount, idleCount, waitingCount } = services.database.pool
    ofServer.connections.set({ state: 'busy' }, totalCount - idleCount)
    ofServer.connections.set({ state: 'idle' }, idleCount)
    ofServer.waiting.set(waitingCount)
    underWay ??= readState(services).finally(() => (underWay = undefined))
    const state = await Promise.race([underWay, pause(patienceMs, undefined, { ref: false })]).catch(() => undefined)
    ofServer.isUp.set(Number(state !== undefined))
    // What was true before the database went away is not news.
    clear()
    if (state) showState(ofDatabase, state)
  }
}
