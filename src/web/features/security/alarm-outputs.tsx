import { BellOff, CircleAlert, Send } from 'lucide-react'
import { alarmPatienceMinutes, type AlarmOutputName } from '#contract/alarms.ts'
import type { AlarmState } from '#contract/schemas/security.ts'
import { getServerNow } from '#web/lib/clock.ts'
import { formatCount } from '#web/lib/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Instant } from '#web/ui/instant.tsx'

const names: Record<AlarmOutputName, string> = { webhook: 'Webhook', log: 'Log', syslog: 'Syslog' }

/** Where security events and audit rows are sent, and what fails (product 5.12). */
export function AlarmOutputs({ alarms }: { alarms: readonly AlarmState[] }) {
  if (alarms.length === 0)
    return (
      <p className="min-h-6 text-quiet max-md:pt-1">
        Alarms stay in this console. ALARMS_URL, ALARMS_LOG or ALARMS_SYSLOG sends them to others.
      </p>
    )
  return (
    <ul aria-label="Outputs of alarms">
      {alarms.map((state) => (
        <li key={state.output} className="flex min-h-6 flex-wrap items-center gap-x-4 gap-y-1 pt-1">
          <OutputState {...state} />
        </li>
      ))}
    </ul>
  )
}

const isLong = (since: string) => getServerNow() - Date.parse(since) > alarmPatienceMinutes * 60_000

function OutputState({ output, waiting, lastSentAt, failingSince, problem }: AlarmState) {
  const name = names[output]
  return (
    <>
      {failingSince === null ? (
        <Badge tone="success" icon={Send}>
          {name}: alarms are sent
        </Badge>
      ) : (
        <Badge tone={isLong(failingSince) ? 'danger' : 'warning'} icon={isLong(failingSince) ? BellOff : CircleAlert}>
          {name}: alarms are not sent
        </Badge>
      )}
      <span>
        <span className="text-quiet">Last sent</span> {lastSentAt === null ? 'never' : <Instant value={lastSentAt} />}
      </span>
      {waiting > 0 && (
        <span>
          <span className="text-quiet">Waiting</span> {formatCount(waiting)}
        </span>
      )}
      {failingSince !== null && (
        <span className="w-full min-w-0 break-words text-danger-ink">
          Fails since <Instant value={failingSince} />: <bdi>{problem}</bdi>
        </span>
      )}
    </>
  )
}
