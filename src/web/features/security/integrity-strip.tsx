import { useQuery } from '@tanstack/react-query'
import { BellOff, Check, CircleAlert, Clock, OctagonX, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { type AlarmOutputName, alarmPatienceMinutes } from '#contract/alarms.ts'
import type { AlarmState, Integrity } from '#contract/schemas/security.ts'
import { describeError } from '#web/api.ts'
import { getServerNow } from '#web/lib/clock.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { FailureLine } from '#web/ui/error-state.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { noteLink } from './altered-note.tsx'
import { findFirstShown } from './fault-words.ts'
import { integrityQuery } from './queries.ts'
import { VerifyNow } from './verify-now.tsx'

const names: Record<AlarmOutputName, string> = { webhook: 'Webhook', log: 'Log', syslog: 'Syslog' }

/** Where security events and audit rows are sent, and what fails (product 5.12). */
function AlarmOutputs({ alarms }: { alarms: readonly AlarmState[] }) {
  if (alarms.length === 0)
    return (
      <p className="min-h-6 text-quiet max-md:pt-1">
        Alarms are not sent anywhere. Set ALARMS_URL, ALARMS_LOG or ALARMS_SYSLOG.
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

/** Rows are sealed within seconds. */
const lateMs = 60_000

/** How far the audit log is sealed, verified and sent out, and what the server's database account could change (product 5.12). */
export function IntegrityStrip() {
  const { data, error, isFetching, refetch } = useQuery(integrityQuery())
  return (
    <section
      aria-label="Audit log protection"
      className="mt-3 rounded-l border bg-card px-3.5 py-2 text-13 tabular-nums wide:px-4"
    >
      {data ? (
        <>
          <Protection {...data} />
          <AlarmOutputs alarms={data.alarms} />
        </>
      ) : error ? (
        <FailureLine onRetry={() => void refetch()} retrying={isFetching} className="min-h-6">
          The protection of the audit log could not be loaded: {describeError(error)}
        </FailureLine>
      ) : (
        <>
          <Skeleton className="my-1 block h-4 w-100 max-w-full max-phone:h-34" />
          <Skeleton className="mt-2 mb-1 block h-4 w-80 max-w-full" />
        </>
      )}
    </section>
  )
}

function Protection({ account, chain, verification, verifying }: Integrity) {
  const state = judge({ chain, verification })
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-4 gap-y-1">
      <output>
        <Badge tone={state.tone} icon={state.icon}>
          {state.label}
        </Badge>
      </output>
      {chain.sealedTo !== null && (
        <DetailItem name="Sealed up to entry">{formatCount(Number(chain.sealedTo))}</DetailItem>
      )}
      {chain.sealedAt !== null && (
        <DetailItem name="Last sealed">
          <Instant value={chain.sealedAt} />
        </DetailItem>
      )}
      {verification && (
        <DetailItem name="Last verified">
          <Instant value={verification.at} />
        </DetailItem>
      )}
      <VerifyNow verification={verification} verifying={verifying} />
      {verification?.fault && <Fault text={verification.fault.text} shownAt={findFirstShown(verification.faults)} />}
      {state.isLate && (
        <p className="w-full text-danger-ink">
          {formatCount(chain.waiting)} {chain.waiting === 1 ? 'entry waits' : 'entries wait'} to be sealed.
        </p>
      )}
      {account.level !== 'limited' && (
        <p className="w-full text-warning-ink">
          The database account “{account.name}”{' '}
          {account.level === 'superuser' ? 'has the rights of a superuser' : 'owns the tables'}, so it can change this
          log. Give the server one of its own: npm run admin -- db roles
        </p>
      )}
    </div>
  )
}

/** The first fault, with the way to the row that shows it. */
const Fault = ({ text, shownAt }: { text: string; shownAt: string | undefined }) => (
  <Note tone="danger" className="my-1 w-full">
    {text}.{' '}
    {shownAt !== undefined && (
      <PermissionGate permission="audit.view">
        <Link {...paths.security({ tab: 'actions', upTo: shownAt })} className={noteLink}>
          Show it in Admin Actions
        </Link>
      </PermissionGate>
    )}
  </Note>
)

function judge({ chain, verification }: Pick<Integrity, 'chain' | 'verification'>) {
  const isLate = chain.waitingSince !== null && getServerNow() - Date.parse(chain.waitingSince) > lateMs
  if (verification?.fault) return { tone: 'danger' as const, icon: OctagonX, label: 'Audit log altered', isLate }
  if (isLate) return { tone: 'warning' as const, icon: CircleAlert, label: 'Audit log not sealed', isLate }
  if (!verification) return { tone: 'neutral' as const, icon: Clock, label: 'Audit log not verified yet', isLate }
  return { tone: 'success' as const, icon: Check, label: 'Audit log intact', isLate }
}

const DetailItem = ({ name, children }: { name: string; children: ReactNode }) => (
  <span>
    <span className="text-quiet">{name}</span> {children}
  </span>
)
