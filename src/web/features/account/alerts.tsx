import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BellRing, type LucideIcon, Mail, MessageSquareText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type AlertOutput, alertRoutes } from '#contract/alerts.ts'
import type { Alerts } from '#contract/schemas/alerts.ts'
import { buildQuery, call, describeError } from '#web/api.ts'
import { showFailure } from '#web/changes/change-toasts.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { toast } from '#web/ui/toast.ts'
import { AccountCard, AccountSection } from './account-section.tsx'
import { describeChoice, describeHour, titleOf } from './alerts-words.ts'
import { refetchAccount } from './use-account-change.ts'

const EmailDialog = lazy(() => import('./alerts-email-dialog.tsx'))
const ChatDialog = lazy(() => import('./alerts-chat-dialog.tsx'))
const RemoveDialog = lazy(() => import('./alerts-remove-dialog.tsx'))
const ChooseDialog = lazy(() => import('./alerts-choose-dialog.tsx'))

type OpenDialog = 'email' | 'code' | 'chat' | 'choose' | { remove: AlertOutput }

/** What the bell shows, by e-mail and in a chat, as the operator chooses (product 5.15, 3.10). */
export function AlertsOfAccount() {
  const query = useQuery(buildQuery(alertRoutes.read))
  const { data, error } = query
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  const close = () => setOpened(null)
  usePrefetch(data !== undefined, EmailDialog, ChatDialog, ChooseDialog)
  return (
    <AccountSection
      title="Alerts"
      description="What the bell shows, also by e-mail and in a chat. Only counts and links: no names and no amounts."
    >
      {!data && error && <LoadFailure what="The alerts" query={query} className="rounded-l border bg-card" />}
      {!data && !error && (
        <output aria-label="Loading..." className="block">
          <Skeleton className="block h-58 w-full rounded-l" />
        </output>
      )}
      {data && (
        <>
          <RefreshFailure what="The alerts" query={query} className="mb-3" />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
            <EmailCard alerts={data} onOpen={setOpened} />
            <ChatCard alerts={data} onOpen={setOpened} />
            <ChosenCard alerts={data} onOpen={setOpened} />
          </div>
          <LazyBoundary fallback={null} onFailure={close}>
            {(opened === 'email' || opened === 'code') && (
              <EmailDialog email={data.email} isCodeSent={opened === 'code'} onClose={close} />
            )}
            {opened === 'chat' && <ChatDialog isNew={data.chat.host === null} onClose={close} />}
            {opened === 'choose' && <ChooseDialog alerts={data} onClose={close} />}
            {opened !== null && typeof opened === 'object' && <RemoveDialog output={opened.remove} onClose={close} />}
          </LazyBoundary>
        </>
      )}
    </AccountSection>
  )
}

interface CardProps {
  alerts: Alerts
  onOpen: (opened: OpenDialog) => void
}

function OutputCard({
  icon: Icon,
  name,
  children,
  actions,
}: {
  icon: LucideIcon
  name: string
  children: ReactNode
  actions: ReactNode
}) {
  return (
    <AccountCard>
      <div className="flex min-w-0 flex-1 basis-56 items-start gap-2.5">
        <Icon aria-hidden strokeWidth={1.75} className="mt-px size-4 shrink-0 text-quiet" />
        <div className="min-w-0 flex-1">
          <h3 className="text-13">{name}</h3>
          <div className="mt-0.5 grid grid-cols-[minmax(0,1fr)] gap-1.5">{children}</div>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">{actions}</div>
    </AccountCard>
  )
}

function EmailCard({ alerts: { email }, onOpen }: CardProps) {
  const { address, waitingAddress, codeExpiresAt, isSet } = email
  return (
    <OutputCard
      icon={Mail}
      name="E-mail"
      actions={
        <>
          {address !== null && isSet && <AlertTest output="email" label="Send a Test E-mail" />}
          {waitingAddress !== null && isSet && (
            <ChangeButton aria-haspopup="dialog" onClick={() => onOpen('code')}>
              Enter Code
            </ChangeButton>
          )}
          {isSet && (
            <ChangeButton aria-haspopup="dialog" onClick={() => onOpen('email')}>
              {address === null && waitingAddress === null ? 'Add Address' : 'Change'}
            </ChangeButton>
          )}
          {(address !== null || waitingAddress !== null) && (
            <ChangeButton variant="hover-danger" aria-haspopup="dialog" onClick={() => onOpen({ remove: 'email' })}>
              Remove
            </ChangeButton>
          )}
        </>
      }
    >
      {!isSet && <p className="text-quiet">This console sends no e-mail. Who runs it sets SMTP_URL and MAIL_FROM.</p>}
      {address !== null && <bdi className="break-words">{address}</bdi>}
      {address === null && waitingAddress === null && isSet && <p className="text-quiet">No address yet</p>}
      {waitingAddress !== null && codeExpiresAt !== null && (
        <p className="break-words text-warning-ink">
          A code went to <bdi>{waitingAddress}</bdi>. It counts until <Instant value={codeExpiresAt} />.
        </p>
      )}
      {address !== null && <OutputState {...email} />}
    </OutputCard>
  )
}

const ChatCard = ({ alerts: { chat }, onOpen }: CardProps) => (
  <OutputCard
    icon={MessageSquareText}
    name="Chat"
    actions={
      <>
        {chat.host !== null && <AlertTest output="chat" label="Send a Test Message" />}
        <ChangeButton aria-haspopup="dialog" onClick={() => onOpen('chat')}>
          {chat.host === null ? 'Add Webhook' : 'Change'}
        </ChangeButton>
        {chat.host !== null && (
          <ChangeButton variant="hover-danger" aria-haspopup="dialog" onClick={() => onOpen({ remove: 'chat' })}>
            Remove
          </ChangeButton>
        )}
      </>
    }
  >
    {chat.host === null ? (
      <p className="text-quiet">No webhook yet. Slack, Mattermost, Teams and others have them.</p>
    ) : (
      <>
        <bdi className="break-words">{chat.host}</bdi>
        <OutputState {...chat} />
      </>
    )}
  </OutputCard>
)

/** When something was last sent, and what fails. */
const OutputState = ({
  lastSentAt,
  failingSince,
  problem,
}: Pick<Alerts['chat'], 'lastSentAt' | 'failingSince' | 'problem'>) => (
  <>
    <p className="text-quiet">
      {lastSentAt === null ? (
        'Nothing was sent yet'
      ) : (
        <>
          Last sent <Instant value={lastSentAt} />
        </>
      )}
    </p>
    {failingSince !== null && (
      <Note tone="danger" role="note">
        Fails since <Instant value={failingSince} />: <bdi>{problem}</bdi>
      </Note>
    )}
  </>
)

/** What was chosen, in words. */
function ChosenCard({ alerts, onOpen }: CardProps) {
  const chosen = alerts.choices.filter(({ email, chat }) => email !== 'off' || chat !== 'off')
  return (
    <OutputCard
      icon={BellRing}
      name="What goes out"
      actions={
        <ChangeButton aria-haspopup="dialog" onClick={() => onOpen('choose')}>
          Choose Alerts
        </ChangeButton>
      }
    >
      {chosen.length === 0 ? (
        <p className="text-quiet">Nothing: all notices are off.</p>
      ) : (
        <>
          <dl aria-label="Chosen alerts" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
            {chosen.map((choice) => (
              <div key={choice.kind}>
                <dt>{titleOf(choice.kind)}</dt>
                <dd className="text-12 text-quiet">{describeChoice(choice)}</dd>
              </div>
            ))}
          </dl>
          {alerts.timeZone !== null && (
            <p className="text-quiet">
              The morning digest comes at {describeHour(alerts.digestHour)}, {alerts.timeZone.replaceAll('_', ' ')}.
            </p>
          )}
        </>
      )}
    </OutputCard>
  )
}

/** Sends a test to an output. The outcome of it appears beside the output as soon as it is known. */
function AlertTest({ output, label }: { output: AlertOutput; label: string }) {
  const client = useQueryClient()
  const send = useMutation({
    mutationFn: () => call(alertRoutes.test, { params: { output } }),
    onSuccess: async ({ message }) => {
      toast({ tone: 'success', title: 'Test on its way', description: message })
      await refetchAccount(client)
    },
    onError: (error) => showFailure(error, describeError(error), 'The test was not sent'),
  })
  return (
    <ChangeButton loading={send.isPending} onClick={() => send.mutate()}>
      {label}
    </ChangeButton>
  )
}
