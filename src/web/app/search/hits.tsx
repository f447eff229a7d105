import { ArrowLeftRight, Coins, Landmark, Receipt, StickyNote, WalletCards, Webhook } from 'lucide-react'
import type { SearchReply } from '#contract/schemas/search.ts'
import { LineStateBadge } from '#web/bank/line-state-badge.tsx'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatDay, formatInstant } from '#web/lib/dates.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { OrderBadge } from '#web/members/order-badge.tsx'
import { BannedBadge, KycBadge, TransactionBadge } from '#web/members/badges.tsx'
import { formatSignedDollars, transactionTypes } from '#web/members/transactions.tsx'
import { pathOfNote, paths } from '#web/paths.ts'
import { writePeek } from '#web/peek/peek-target.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { foldText } from './match-text.ts'
import { Highlight, HashHighlight } from './highlight.tsx'
import type { Entry, Group } from './entries.ts'
import type { RecentItem } from './recent.ts'

type Hit<Name extends keyof SearchReply> = SearchReply[Name][number]

const normalizeWords = (text: string) =>
  ` ${foldText(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()}`

/** Whether the typed text occurs in these texts only inside words. A match by key is not weak. */
function isWeak(typed: string, texts: (string | null)[]): boolean {
  const wanted = normalizeWords(typed)
  const words = texts.map((text) => normalizeWords(text ?? ''))
  return !words.some((text) => text.includes(wanted)) && words.some((text) => text.includes(wanted.slice(1)))
}

const buildMemberEntry = (hit: Hit<'members'>, typed: string): Entry => {
  const { id, name, email, membershipId, phone, kycStatus, kycBanned } = hit
  return {
    key: `member-${id}`,
    icon: <Avatar name={name} />,
    title: <Highlight text={name} typed={typed} />,
    caption: (
      <>
        {name === email ? 'No name yet' : <Highlight text={email} typed={typed} />}
        {[membershipId, phone].map(
          (text) =>
            text && (
              <span key={text}>
                {' · '}
                <Highlight text={text} typed={typed} />
              </span>
            ),
        )}
      </>
    ),
    aside: kycBanned ? <BannedBadge /> : <KycBadge status={kycStatus} />,
    link: <Link {...paths.member(id)} />,
    isWeak: isWeak(typed, [name, email, membershipId]),
  }
}

const buildOrderEntry = (hit: Hit<'orders'>, typed: string): Entry => {
  const { id, orderNumber, projectName, userName, iban, status, investmentAmount, currency } = hit
  return {
    key: `order-${id}`,
    icon: <Receipt aria-hidden />,
    title: <Highlight text={orderNumber} typed={typed} />,
    caption: (
      <>
        <Highlight text={userName} typed={typed} />
        {' · '}
        <Highlight text={iban ?? projectName} typed={typed} />
      </>
    ),
    aside: (
      <>
        <span>
          {formatDecimal(investmentAmount, 2)} <span className="text-quiet">{currency}</span>
        </span>
        <OrderBadge status={status} />
      </>
    ),
    link: <Link {...paths.order(id)} />,
    isWeak: isWeak(typed, [orderNumber, userName, projectName]),
  }
}

const buildLineEntry = (hit: Hit<'bankLines'>, typed: string): Entry => {
  const { id, accountName, bookedOn, direction, amount, currency, state, payer, text, references } = hit
  const account = payer.account && formatAccountNumber(payer.account)
  const reference = references.find((each) => !isWeak(typed, [each])) ?? references[0]
  return {
    key: `line-${id}`,
    icon: <Landmark aria-hidden />,
    title: <Highlight text={payer.name ?? account ?? 'Payer not named'} typed={typed} />,
    caption: (
      <>
        {bookedOn ? formatDay(bookedOn) : 'Not booked'} · <bdi>{accountName}</bdi>
        {[account, text || reference].map(
          (each) =>
            each && (
              <span key={each}>
                {' · '}
                <Highlight text={each} typed={typed} />
              </span>
            ),
        )}
      </>
    ),
    aside: (
      <>
        <span>
          {direction === 'credit' ? '+' : '−'}
          {formatDecimal(amount, 2)} <span className="text-quiet">{currency}</span>
        </span>
        <LineStateBadge state={state} />
      </>
    ),
    link: <Link {...paths.bank({ line: id })} />,
    isWeak: isWeak(typed, [payer.name, text, ...references]),
  }
}

/** A note begins where the typed text stands in it. */
function cutNote(text: string, typed: string): string {
  const at = text.toLowerCase().indexOf(typed.toLowerCase())
  return at > 60 ? `…${text.slice(at - 30)}` : text
}

const buildNoteEntry = (
  { id, userId, bankLineId, userName, order, text, author }: Hit<'notes'>,
  typed: string,
): Entry => ({
  key: `note-${id}`,
  icon: <StickyNote aria-hidden />,
  title: <Highlight text={cutNote(text, typed)} typed={typed} />,
  caption: (
    <>
      {order && `${order.orderNumber} · `}
      {userName === null ? 'Bank line' : <bdi>{userName}</bdi>} · by <bdi>{author}</bdi>
    </>
  ),
  link: <Link {...pathOfNote({ userId, bankLineId, order })} />,
  isWeak: isWeak(typed, [text]),
})

const buildPlatformEntry = (
  { id, userName, type, amount, status }: Hit<'platformTransactions'>,
  typed: string,
): Entry => ({
  key: `platform-${id}`,
  icon: <WalletCards aria-hidden />,
  title: <Highlight text={id} typed={typed} />,
  caption: (
    <>
      {transactionTypes[type].label}
      {' · '}
      <Highlight text={userName} typed={typed} />
    </>
  ),
  aside: (
    <>
      <span>{formatSignedDollars({ type, amount })}</span>
      <TransactionBadge status={status} />
    </>
  ),
  link: <Link {...paths.transactions({ tab: 'platform', search: id })} />,
})

function buildTransactionEntry(hit: Hit<'transactions'>, typed: string): Entry {
  const { id, transactionHash, walletAddress, transactionType, amount, tokenSymbol, status } = hit
  return {
    key: `transaction-${id}`,
    icon: <ArrowLeftRight aria-hidden />,
    title: <HashHighlight text={transactionHash} typed={typed} />,
    caption: (
      <>
        {transactionTypes[transactionType].label}
        {' · wallet '}
        <HashHighlight text={walletAddress} typed={typed} />
      </>
    ),
    aside: (
      <>
        <span className="max-w-36 truncate">
          {formatDecimal(amount)} <bdi className="text-quiet">{tokenSymbol}</bdi>
        </span>
        <TransactionBadge status={status} />
      </>
    ),
    link: <Link {...paths.transactions({ search: transactionHash })} />,
  }
}

const buildTokenEntry = (hit: Hit<'tokens'>, typed: string): Entry => ({
  key: `token-${hit.id}`,
  icon: <Coins aria-hidden />,
  title: (
    <>
      <Highlight text={hit.tokenSymbol} typed={typed} />
      {' · '}
      <Highlight text={hit.projectName} typed={typed} />
    </>
  ),
  caption: (
    <>
      {hit.kind === 'earning' ? 'Earning token' : 'Fractions token'}
      {' · '}
      <HashHighlight text={hit.contractAddress} typed={typed} />
    </>
  ),
  aside: hit.isActive ? undefined : <span className="text-12 text-quiet">Inactive</span>,
  link: <Link {...paths.tokens(hit.kind === 'earning' ? {} : { tab: hit.kind })} />,
  isWeak: isWeak(typed, [hit.tokenSymbol, hit.projectName]),
})

const buildMessageEntry = ({ id, messageId, ...hit }: Hit<'messages'>, typed: string): Entry => ({
  key: `message-${id}`,
  icon: <Webhook aria-hidden />,
  title: hit.type,
  caption: (
    <>
      <Highlight text={messageId} typed={typed} />
      {[hit.entityId, hit.endpoint].map((text) => text && <bdi key={text}>{` · ${text}`}</bdi>)}
    </>
  ),
  aside: <span className="text-12 text-quiet">{formatInstant(hit.createdAt)}</span>,
  link: (
    <Link {...paths.kycWebhooks({ tab: 'deliveries', search: messageId, peek: writePeek({ kind: 'message', id }) })} />
  ),
})

/** The key of an exact match, such as an order number. It comes first whatever else is found. */
export function findExactHit(reply: SearchReply, typed: string): string | undefined {
  const isExact = (...texts: (string | null)[]) => texts.some((text) => text?.toLowerCase() === typed.toLowerCase())
  const order = reply.orders.find(({ orderNumber }) => isExact(orderNumber))
  const member = reply.members.find(({ id, email, membershipId }) => isExact(id, email, membershipId))
  const platform = reply.platformTransactions.find(({ id }) => isExact(id))
  const transaction = reply.transactions.find(({ transactionHash }) => isExact(transactionHash))
  const token = reply.tokens.find(({ contractAddress }) => isExact(contractAddress))
  if (order) return `order-${order.id}`
  if (member) return `member-${member.id}`
  if (platform) return `platform-${platform.id}`
  if (transaction) return `transaction-${transaction.id}`
  if (token) return `token-${token.id}`
  const message = reply.messages[0]
  return message && `message-${message.id}`
}

/** The search results in groups, in the contract's order and without empty groups. */
export function buildHitGroups(found: SearchReply, typed: string): Group[] {
  const groups = [
    { label: 'Members', entries: found.members.map((hit) => buildMemberEntry(hit, typed)) },
    { label: 'Orders', entries: found.orders.map((hit) => buildOrderEntry(hit, typed)) },
    { label: 'Bank lines', entries: found.bankLines.map((hit) => buildLineEntry(hit, typed)) },
    { label: 'Notes', entries: found.notes.map((hit) => buildNoteEntry(hit, typed)) },
    {
      label: 'Platform transactions',
      entries: found.platformTransactions.map((hit) => buildPlatformEntry(hit, typed)),
    },
    { label: 'Transactions', entries: found.transactions.map((hit) => buildTransactionEntry(hit, typed)) },
    { label: 'Tokens', entries: found.tokens.map((hit) => buildTokenEntry(hit, typed)) },
    { label: 'Messages', entries: found.messages.map((hit) => buildMessageEntry(hit, typed)) },
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}

/** Recently opened pages, newest first, without those that no longer exist. */
export function buildRecentGroup(items: RecentItem[], { members, orders }: SearchReply): Group {
  const known = new Map([
    ...members.map((hit) => [`member-${hit.id}`, buildMemberEntry(hit, '')] as const),
    ...orders.map((hit) => [`order-${hit.id}`, buildOrderEntry(hit, '')] as const),
  ])
  const entries = items.map(({ kind, id }) => known.get(`${kind}-${id}`)).filter((entry) => entry !== undefined)
  return { label: 'Recent', entries }
}
