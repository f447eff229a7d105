import { Link } from '@tanstack/react-router'
import { ArrowLeftRight, Coins, Receipt, WalletCards } from 'lucide-react'
import type { SearchReply } from '#contract/schemas/search.ts'
import { StatusBadge } from '#web/features/orders/status-badge.tsx'
import { formatDecimal } from '#web/lib/money.ts'
import { BannedBadge, KycBadge, TransactionBadge } from '#web/members/badges.tsx'
import { signedDollars, transactionTypes } from '#web/members/transactions.tsx'
import { paths } from '#web/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { fold } from './emphasis.ts'
import { Emphasised, EmphasisedHash } from './emphasised.tsx'
import type { Entry, Group } from './entries.ts'
import type { RecentItem } from './recent.ts'

type Hit<Name extends keyof SearchReply> = SearchReply[Name][number]

const wordsOf = (text: string) =>
  ` ${fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()}`

/** Whether what was typed stands in these texts, but begins no word of them. What was found by a key is not weak. */
function isWeak(typed: string, texts: (string | null)[]): boolean {
  const wanted = wordsOf(typed)
  const words = texts.map((text) => wordsOf(text ?? ''))
  return !words.some((text) => text.includes(wanted)) && words.some((text) => text.includes(wanted.slice(1)))
}

const memberEntry = (hit: Hit<'members'>, typed: string): Entry => {
  const { id, name, email, membershipId, phone, kycStatus, kycBanned } = hit
  return {
    key: `member-${id}`,
    icon: <Avatar name={name} />,
    title: <Emphasised text={name} typed={typed} />,
    caption: (
      <>
        {name === email ? 'No name yet' : <Emphasised text={email} typed={typed} />}
        {[membershipId, phone].map(
          (text) =>
            text && (
              <span key={text}>
                {' · '}
                <Emphasised text={text} typed={typed} />
              </span>
            ),
        )}
      </>
    ),
    aside: kycBanned ? <BannedBadge /> : <KycBadge status={kycStatus} />,
    link: <Link {...paths.user(id)} />,
    isWeak: isWeak(typed, [name, email, membershipId]),
  }
}

const orderEntry = (hit: Hit<'orders'>, typed: string): Entry => {
  const { id, orderNumber, projectName, userName, iban, status, investmentAmount, currency } = hit
  return {
    key: `order-${id}`,
    icon: <Receipt aria-hidden />,
    title: <Emphasised text={orderNumber} typed={typed} />,
    caption: (
      <>
        <Emphasised text={userName} typed={typed} />
        {' · '}
        <Emphasised text={iban ?? projectName} typed={typed} />
      </>
    ),
    aside: (
      <>
        <span>
          {formatDecimal(investmentAmount, 2)} <span className="text-quiet">{currency}</span>
        </span>
        <StatusBadge status={status} />
      </>
    ),
    link: <Link {...paths.order(id)} />,
    isWeak: isWeak(typed, [orderNumber, userName, projectName]),
  }
}

const platformEntry = ({ id, userName, type, amount, status }: Hit<'platformTransactions'>, typed: string): Entry => ({
  key: `platform-${id}`,
  icon: <WalletCards aria-hidden />,
  title: <Emphasised text={id} typed={typed} />,
  caption: (
    <>
      {transactionTypes[type].label}
      {' · '}
      <Emphasised text={userName} typed={typed} />
    </>
  ),
  aside: (
    <>
      <span>{signedDollars({ type, amount })}</span>
      <TransactionBadge status={status} />
    </>
  ),
  link: <Link {...paths.transactions({ tab: 'platform', search: id })} />,
})

function transactionEntry(hit: Hit<'transactions'>, typed: string): Entry {
  const { id, transactionHash, walletAddress, transactionType, amount, tokenSymbol, status, userId } = hit
  return {
    key: `transaction-${id}`,
    icon: <ArrowLeftRight aria-hidden />,
    title: <EmphasisedHash text={transactionHash} typed={typed} />,
    caption: (
      <>
        {transactionTypes[transactionType].label}
        {' · wallet '}
        <EmphasisedHash text={walletAddress} typed={typed} />
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
    link:
      userId === null ? (
        <Link {...paths.transactions({ search: transactionHash })} />
      ) : (
        <Link {...paths.user(userId, { tab: 'transactions' })} />
      ),
  }
}

const tokenEntry = (hit: Hit<'tokens'>, typed: string): Entry => ({
  key: `token-${hit.id}`,
  icon: <Coins aria-hidden />,
  title: (
    <>
      <Emphasised text={hit.tokenSymbol} typed={typed} />
      {' · '}
      <Emphasised text={hit.projectName} typed={typed} />
    </>
  ),
  caption: (
    <>
      {hit.kind === 'earning' ? 'Earning token' : 'Fractions token'}
      {' · '}
      <EmphasisedHash text={hit.contractAddress} typed={typed} />
    </>
  ),
  aside: hit.isActive ? undefined : <span className="text-12 text-quiet">Inactive</span>,
  link: <Link {...paths.tokens(hit.kind === 'earning' ? {} : { tab: hit.kind })} />,
  isWeak: isWeak(typed, [hit.tokenSymbol, hit.projectName]),
})

/** The key of what was typed whole, such as an order number: it is meant, whatever else is found. */
export function exactHit(reply: SearchReply, typed: string): string | undefined {
  const is = (...texts: (string | null)[]) => texts.some((text) => text?.toLowerCase() === typed.toLowerCase())
  const order = reply.orders.find(({ orderNumber }) => is(orderNumber))
  const member = reply.members.find(({ id, email, membershipId }) => is(id, email, membershipId))
  const platform = reply.platformTransactions.find(({ id }) => is(id))
  const transaction = reply.transactions.find(({ transactionHash }) => is(transactionHash))
  const token = reply.tokens.find(({ contractAddress }) => is(contractAddress))
  if (order) return `order-${order.id}`
  if (member) return `member-${member.id}`
  if (platform) return `platform-${platform.id}`
  if (transaction) return `transaction-${transaction.id}`
  return token && `token-${token.id}`
}

/** What was found, grouped and in the contract's order; empty groups are left out. */
export function hitGroups(found: SearchReply, typed: string): Group[] {
  const groups = [
    { label: 'Members', entries: found.members.map((hit) => memberEntry(hit, typed)) },
    { label: 'Orders', entries: found.orders.map((hit) => orderEntry(hit, typed)) },
    { label: 'Platform transactions', entries: found.platformTransactions.map((hit) => platformEntry(hit, typed)) },
    { label: 'Transactions', entries: found.transactions.map((hit) => transactionEntry(hit, typed)) },
    { label: 'Tokens', entries: found.tokens.map((hit) => tokenEntry(hit, typed)) },
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}

/** What was open last, newest first; what is there no more is left out. */
export function recentGroup(items: RecentItem[], { members, orders }: SearchReply): Group {
  const known = new Map([
    ...members.map((hit) => [`member-${hit.id}`, memberEntry(hit, '')] as const),
    ...orders.map((hit) => [`order-${hit.id}`, orderEntry(hit, '')] as const),
  ])
  const entries = items.map(({ kind, id }) => known.get(`${kind}-${id}`)).filter((entry) => entry !== undefined)
  return { label: 'Recent', entries }
}
