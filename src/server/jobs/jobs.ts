import { contextFor, type Ctx, type Services } from '#server/core/context.ts'
import { markChanges } from '#server/db/changes.ts'
import { alarmOutputs } from '#contract/alarms.ts'
import { sendAlarms } from '#server/features/alarms/service.ts'
import { writeAlerts } from '#server/features/alerts/service.ts'
import { expireApprovals } from '#server/features/approvals/service.ts'
import { copyWhenDue, sealAudit, verifyWhenDue } from '#server/features/audit-chain/service.ts'
import { archiveLog, backUpWhenDue } from '#server/features/backups/service.ts'
import { endProposalRefresh, refreshProposals } from '#server/features/bank/service.ts'
import { runBulkJobs } from '#server/features/bulk/service.ts'
import { endIndexing, indexTransfers, resolveIndexerSettings } from '#server/features/chain/service.ts'
import { hashPictures, keepFilesWhenDue } from '#server/features/documents/service.ts'
import { channels, sendDue } from '#server/features/messages/service.ts'
import { expireOrders, expiryActor, spreadNames } from '#server/features/orders/service.ts'
import { applyRules } from '#server/features/retention/service.ts'
import { closeLowEvents } from '#server/features/security/service.ts'
import { keepTreasuryFresh } from '#server/features/treasury/service.ts'
import { checkTokens } from '#server/features/tokens/service.ts'
import { relabelTransfers } from '#server/features/transactions/service.ts'
import { deleteExpired } from './delete-expired.ts'
import { foldCounts } from './fold-counts.ts'
import { reportStoppedJobs, reportStoppedSealing } from './stopped-jobs.ts'

export interface Job {
  name: string
  everySeconds: number | ((services: Services) => number)
  /** The actor in audit rows. Default: the name of the job. */
  actor?: string
  /** `stop` asks the job to end early. */
  run: (ctx: Ctx, stop: AbortSignal) => Promise<unknown>
  /** Gives back what the job keeps between its turns. Runs after the last one. */
  end?: (ctx: Ctx) => Promise<void>
}

const watchSealing: Job = { name: 'watch-sealing', everySeconds: 60, run: (ctx) => reportStoppedSealing(ctx) }

/** The jobs that run by the clock. Each may run on several servers at once. */
export const jobs: readonly Job[] = [
  { name: 'fold-counts', everySeconds: 5, run: foldCounts },
  { name: 'seal-audit', everySeconds: 1, run: sealAudit },
  watchSealing,
  // Also what an operator has asked for.
  { name: 'verify-audit', everySeconds: 1, run: verifyWhenDue },
  // Apart from each other, so that one output that does not answer delays no other.
  ...alarmOutputs.map((output) => ({
    name: `send-alarms-${output}`,
    everySeconds: 1,
    run: (ctx: Ctx, stop: AbortSignal) => sendAlarms(ctx, output, stop),
  })),
  { name: 'expire-orders', everySeconds: 5, actor: expiryActor, run: expireOrders },
  { name: 'expire-approvals', everySeconds: 30, actor: expiryActor, run: expireApprovals },
  ...channels.map((channel) => ({
    name: `send-${channel.name}`,
    everySeconds: channel.everySeconds,
    actor: 'queue',
    run: (ctx: Ctx, stop: AbortSignal) => sendDue(ctx, channel, stop),
  })),
  { name: 'run-bulk', everySeconds: 1, actor: 'bulk', run: runBulkJobs },
  { name: 'write-alerts', everySeconds: 20, run: writeAlerts },
  { name: 'spread-names', everySeconds: 1, run: spreadNames },
  { name: 'relabel-transfers', everySeconds: 1, run: relabelTransfers },
  { name: 'check-tokens', everySeconds: 2, run: checkTokens },
  {
    name: 'index-chain',
    everySeconds: (services) => resolveIndexerSettings(services).pollMs / 1000,
    actor: 'indexer',
    run: indexTransfers,
    end: endIndexing,
  },
  { name: 'propose-matches', everySeconds: 2, run: refreshProposals, end: endProposalRefresh },
  { name: 'read-treasury', everySeconds: 60, run: keepTreasuryFresh },
  { name: 'mark-changes', everySeconds: 60, run: markChanges },
  { name: 'close-low-events', everySeconds: 3600, actor: 'system', run: closeLowEvents },
  { name: 'apply-retention', everySeconds: 3600, run: applyRules },
  { name: 'make-backup', everySeconds: 60, run: backUpWhenDue },
  { name: 'copy-audit', everySeconds: 3600, run: copyWhenDue },
  { name: 'archive-log', everySeconds: 5, run: archiveLog },
  { name: 'keep-files', everySeconds: 600, run: keepFilesWhenDue },
  { name: 'hash-pictures', everySeconds: 60, run: hashPictures },
  { name: 'delete-expired', everySeconds: 300, run: deleteExpired },
]

/** What a server runs with JOBS=off. */
export const jobsOfOthers: readonly Job[] = [
  { name: 'watch-jobs', everySeconds: 60, run: (ctx) => reportStoppedJobs(ctx) },
  watchSealing,
]

const contextOf = (services: Services, { name, actor = name }: Job) =>
  contextFor(services, { kind: 'system', name: actor })

/** Runs a job once. */
export async function runJob(services: Services, job: Job, stop: AbortSignal): Promise<void> {
  await job.run(contextOf(services, job), stop)
}

/** Ends the jobs, none of which runs any more. */
export async function endJobs(services: Services): Promise<void> {
  for (const job of jobs) await job.end?.(contextOf(services, job))
}
