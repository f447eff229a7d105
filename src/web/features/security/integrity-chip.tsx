import { useQuery } from '@tanstack/react-query'
import { BellOff, Check, CircleAlert, Clock, OctagonX, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { type AlarmOutputName, alarmPatienceMinutes } from '#contract/alarms.ts'
import type { AlarmState, Integrity } from '#contract/schemas/security.ts'
import { getServerNow } from '#web/lib/clock.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Note } from '#web/ui/note.tsx'
import { type ChipState, StateChip } from '#web/ui/state-chip.tsx'
import { noteLink } from './altered-note.tsx'
import { findFirstShown } from './fault-words.ts'
import { integrityQuery } from './queries.ts'
import { useVerifyNow, type Verify, VerifyNow } from './verify-now.tsx'

const name = 'Audit log protection'

const names: Record<AlarmOutputName, string> = { webhook: 'Webhook', log: 'Log', syslog: 'Syslog' }

/** Where security events and audit rows are sent, and what fails (product 5.12). */
function AlarmOutputs({ alarms }: { alarms: readonly AlarmState[] }) {
  if (alarms.length === 0)
    return <p className="pt-2 text-quiet">Alarms are not sent anywhere. Set ALARMS_URL, ALARMS_LOG or ALARMS_SYSLOG.</p>
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
export function IntegrityChip() {
  const { data, error, isFetching, refetch } = useQuery(integrityQuery())
  if (data) return <Known integrity={data} />
  const failure = error && (
    <LoadFailure size="row" what="The protection of the audit log" query={{ error, isFetching, refetch }} />
  )
  return <StateChip label={name} state={undefined} failure={failure} />
}

function Known({ integrity }: { integrity: Integrity }) {
  const verify = useVerifyNow(integrity)
  return (
    <StateChip label={name} state={judge(integrity)} className="w-108">
      <Protection {...integrity} verify={verify} />
      <AlarmOutputs alarms={integrity.alarms} />
    </StateChip>
  )
}

function Protection({ account, chain, verification, verifying, verify }: Integrity & { verify: Verify }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
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
      <VerifyNow verifying={verifying} request={verify} />
      {verification?.fault && <Fault text={verification.fault.text} shownAt={findFirstShown(verification.faults)} />}
      {isLate(chain) && (
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

const isLate = ({ waitingSince }: Integrity['chain']) =>
  waitingSince !== null && getServerNow() - Date.parse(waitingSince) > lateMs

/** The gravest of what is known. */
function judge({ chain, verification, alarms }: Integrity): ChipState {
  if (verification?.fault) return { tone: 'danger', icon: OctagonX, label: 'Audit log altered' }
  const failing = alarms.flatMap(({ failingSince }) => failingSince ?? [])
  if (failing.some(isLong)) return { tone: 'danger', icon: BellOff, label: 'Alarms not sent' }
  if (isLate(chain)) return { tone: 'warning', icon: CircleAlert, label: 'Audit log not sealed' }
  if (failing.length > 0) return { tone: 'warning', icon: CircleAlert, label: 'Alarms not sent' }
  if (!verification) return { tone: 'neutral', icon: Clock, label: 'Audit log not verified yet' }
  return { tone: 'success', icon: Check, label: 'Audit log intact' }
}

const DetailItem = ({ name, children }: { name: string; children: ReactNode }) => (
  <span>
    <span className="text-quiet">{name}</span> {children}
  </span>
)
