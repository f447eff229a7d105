import { appendFile } from 'node:fs/promises'
import { alarmOutputs, type AlarmOutputName } from '#contract/alarms.ts'
import { postSigned } from '#server/adapters/signed-post.ts'
import { formatSyslog, sendSyslog, type SyslogMessage } from '#server/adapters/syslog.ts'
import type { Config } from '#server/core/config.ts'
import type { AlarmBatch, AlarmPosition, AlarmRecord, SendFailure } from './records.ts'

const timeoutMs = 15_000

/** Sends a batch. Returns null once the other side has it. Throws if `signal` aborts it. */
export type SendBatch = (batch: AlarmBatch, from: AlarmPosition, signal: AbortSignal) => Promise<SendFailure | null>

/** The same for the same records. A later try that has more of them, or says less of one, is another message. */
const buildMessageId = ({ upTo, isReduced }: AlarmBatch, from: AlarmPosition) =>
  `alarms_${from.eventSeq}-${upTo.eventSeq}_${from.auditSeq}-${upTo.auditSeq}${isReduced ? '_reduced' : ''}`

const postTo =
  (url: string, { alarms, webhookAllowPrivate }: Config): SendBatch =>
  async (batch, from, signal) => {
    const { records } = batch
    const timestamp = records.map(({ time }) => time).reduce((one, other) => (one > other ? one : other))
    const { success, errorMessage, retryAfter, httpStatus } = await postSigned({
      url,
      secrets: alarms.secrets,
      id: buildMessageId(batch, from),
      body: JSON.stringify({ type: 'alarms', timestamp, data: { records } }),
      personal: [],
      timeoutMs,
      allowsPrivate: webhookAllowPrivate,
      signal,
    })
    return success ? null : { problem: errorMessage ?? 'It was not taken', retryAfter, status: httpStatus }
  }

/** A file is opened for each batch, so that it may be renamed at any time, and is on the disk before the batch counts as sent. */
const appendTo =
  (place: string): SendBatch =>
  async ({ records }) => {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    try {
      await (place === 'stdout' ? writeOut(lines) : appendFile(place, lines, { mode: 0o600, flush: true }))
      return null
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
      return { problem: `Could not write to ${place === 'stdout' ? 'standard output' : 'the file'} (${code})` }
    }
  }

const writeOut = (lines: string) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(lines, (error) => (error ? reject(error) : resolve()))
  })

const severities: Record<AlarmRecord['severity'], SyslogMessage['severity']> = {
  critical: 'critical',
  high: 'error',
  medium: 'warning',
  low: 'notice',
  info: 'informational',
}

const describeRecord = ({ text, action, outcome, actor, target }: AlarmRecord) =>
  text ??
  [actor?.name, action, target && `${target.type} ${target.id}`, outcome === 'failure' ? '(failed)' : null]
    .filter(Boolean)
    .join(' ')

export const buildSyslogMessage = (record: AlarmRecord): SyslogMessage => ({
  facility: record.kind === 'audit' ? 'audit' : 'authorization',
  severity: record.outcome === 'failure' ? 'notice' : severities[record.severity],
  time: record.time,
  host: new URL(`http://${record.console}`).hostname,
  messageId: record.kind,
  data: {
    id: record.id,
    seq: record.seq,
    severity: record.severity,
    action: record.action,
    outcome: record.outcome,
    actorKind: record.actor?.kind ?? null,
    actorId: record.actor?.id ?? null,
    actorName: record.actor?.name ?? null,
    targetType: record.target?.type ?? null,
    targetId: record.target?.id ?? null,
    address: record.address,
    requestId: record.requestId,
  },
  text: describeRecord(record),
})

const logTo =
  (url: string): SendBatch =>
  async ({ records }, _from, signal) => {
    const messages = records.map((record) => formatSyslog(buildSyslogMessage(record)))
    const problem = await sendSyslog(new URL(url), messages, { timeoutMs, signal })
    return problem === null ? null : { problem }
  }

/** How an output sends. Undefined if it is not set. */
export function findOutput(config: Config, name: AlarmOutputName): SendBatch | undefined {
  const { url, log, syslogUrl } = config.alarms
  if (name === 'webhook') return url === undefined ? undefined : postTo(url, config)
  if (name === 'log') return log === undefined ? undefined : appendTo(log)
  return syslogUrl === undefined ? undefined : logTo(syslogUrl)
}

export const listOutputs = (config: Config): AlarmOutputName[] =>
  alarmOutputs.filter((name) => findOutput(config, name) !== undefined)
