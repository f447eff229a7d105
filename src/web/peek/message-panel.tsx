import type { MessageKind } from '#contract/messages.ts'
import { testType } from '#contract/endpoints.ts'
import type { Message, MessageDetail, MessageTry } from '#contract/schemas/messages.ts'
import { describeStarter } from '#web/lib/words.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import {
  describeAnswer,
  describeTry,
  Entity,
  describeWay,
  TestBadge,
  formatLatency,
  NextTryNote,
  trimNote,
  Signature,
  StateBadge,
} from '#web/features/messages/parts.tsx'
import { messageQuery } from '#web/features/messages/queries.ts'
import { ResendButton } from '#web/features/messages/resend-button.tsx'
import { ActionBar } from './member-actions.tsx'
import { PeekedRecord } from './peeked-record.tsx'

/** A message with its body and its tries. */
export const MessagePanel = ({ id }: { id: string }) => (
  <PeekedRecord
    target={{ kind: 'message', id }}
    permission="messages.view"
    query={{ ...messageQuery(id), staleTime: 0 }}
    version={version}
    name={({ type }) => type}
    idOf={(message) => message.id}
    Actions={MessageActions}
    Summary={Summary}
  />
)

/** What it shows may change at any time, and no button with it. */
const version = () => ''

const Summary = ({ peek: message }: { peek: MessageDetail }) => (
  <>
    <h2 className="text-16 wrap-anywhere">{message.type}</h2>
    <p className="mb-4 text-13 wrap-anywhere text-quiet">
      {describeRoute(message)} {describeWay(message)}
    </p>
    <MessageFacts message={message} />
    <Body message={message} body={message.body} />
    {message.direction === 'out' && <Attempts kind={message.kind} attempts={message.attempts} />}
  </>
)

const MessageActions = ({ peek: message }: { peek: MessageDetail }) => (
  <ActionBar reason={<NextTryNote message={message} className="text-quiet" />}>
    <ResendButton message={message} size="default" />
  </ActionBar>
)

/** A message without tries was not sent. */
const describeRoute = ({ direction, tries }: Message) => (direction === 'in' ? 'Received' : tries > 0 ? 'Sent' : 'Goes')

function MessageFacts({ message }: { message: Message }) {
  const { attemptNumber, createdAt, direction, lastNote, messageId, signature, state } = message
  return (
    <Facts>
      <Fact name="State">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StateBadge state={state} />
          {message.type === testType && <TestBadge />}
          <NextTryNote message={message} className="text-quiet" />
        </span>
      </Fact>
      {signature && (
        <Fact name="Signature">
          <Signature verdict={signature} />
        </Fact>
      )}
      <Fact name="Entity">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <Entity message={message} />
          <span className="text-12 text-quiet">
            {message.operator === null ? message.entityType : 'operator'}
            {attemptNumber !== null && `, attempt ${attemptNumber}`}
          </span>
        </span>
      </Fact>
      <Fact name="Message ID">
        {messageId === null ? (
          <MissingValue>None</MissingValue>
        ) : (
          <span className="flex items-center gap-0.5">
            <bdi className="hash-text min-w-0 break-all">{messageId}</bdi>
            <CopyButton text={messageId} label="Copy message ID" />
          </span>
        )}
      </Fact>
      {direction === 'in' && (
        <Fact name="Our answer">
          {describeAnswer(message)}{' '}
          <span className="text-quiet tabular-nums">{formatLatency(message.lastLatencyMs)}</span>
          {lastNote && <bdi className="block">{lastNote}</bdi>}
        </Fact>
      )}
      <Fact name="Created">
        <Instant value={createdAt} />
      </Fact>
    </Facts>
  )
}

/** What is JSON stands one value a line. */
function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const boxLook = 'rounded-m border bg-canvas'
const heading = 'mt-5 mb-2 flex min-h-6 items-center gap-2 text-13'

function Body({ message: { kind }, body }: { message: Message; body: string | null }) {
  const text = body && formatBody(body)
  return (
    <>
      <h3 className={heading}>
        Body
        {kind === 'case' && (
          <span className="text-12 font-regular text-quiet">as it is now, without personal data</span>
        )}
        {kind === 'result' && (
          <span className="text-12 font-regular text-quiet">its beginning, without personal data</span>
        )}
        {text && (
          <span className="ml-auto">
            <CopyButton text={text} label="Copy body" />
          </span>
        )}
      </h3>
      {text ? (
        <section
          aria-label="Body"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
          tabIndex={0}
          className={`${boxLook} max-h-64 overflow-auto p-3`}
        >
          <pre dir="auto" className="hash-text break-words whitespace-pre-wrap">
            {text}
          </pre>
        </section>
      ) : (
        <MissingValue>Nothing is kept of it</MissingValue>
      )}
    </>
  )
}

function Attempts({ kind, attempts }: { kind: MessageKind; attempts: MessageTry[] }) {
  return (
    <>
      <h3 className={heading}>Attempts</h3>
      {attempts.length === 0 ? (
        <MissingValue>Not tried yet</MissingValue>
      ) : (
        <ol aria-label="Attempts" className={`${boxLook} divide-y`}>
          {attempts.map((attempt) => (
            <Attempt key={attempt.id} kind={kind} attempt={attempt} />
          ))}
        </ol>
      )}
    </>
  )
}

function Attempt({ kind, attempt }: { kind: MessageKind; attempt: MessageTry }) {
  const { tryNumber, success, errorMessage, httpStatus, latencyMs, responseExcerpt, startedBy, createdAt } = attempt
  const note = trimNote(errorMessage, httpStatus)
  return (
    <li className="px-3 py-2 text-13">
      <span className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
        <span className="font-medium">Try {tryNumber}</span>
        <span className={success ? '' : 'text-danger-ink'}>{describeTry(kind, success, httpStatus)}</span>
        <span className="text-quiet">{formatLatency(latencyMs)}</span>
        <span className="ml-auto text-12 text-quiet">
          <Instant value={createdAt} /> <bdi>{describeStarter(startedBy)}</bdi>
        </span>
      </span>
      {note && <bdi className="block text-left text-12 text-danger-ink">{note}</bdi>}
      {responseExcerpt && (
        <bdi title={responseExcerpt} className="hash-text line-clamp-3 text-left text-12 break-words text-quiet">
          {responseExcerpt}
        </bdi>
      )}
    </li>
  )
}
