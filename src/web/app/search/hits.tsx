import { Link } from '@tanstack/react-router'
import { ArrowLeftRight, Coins, Receipt } from 'lucide-react'
import type { SearchReply } from '#contract/search.ts'
import { paths } from '#web/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Emphasised, EmphasisedHash } from './emphasised.tsx'
import type { Entry, Group } from './entries.ts'

type Hit<Name extends keyof SearchReply> = SearchReply[Name][number]

const memberEntry = ({ id, name, email, membershipId }: Hit<'members'>, typed: string): Entry => ({
  key: `member-${id}`,
  icon: <Avatar name={name} />,
  title: <Emphasised text={name} typed={typed} />,
  caption: (
    <>
      {name === email ? 'No name yet' : <Emphasised text={email} typed={typed} />}
      {membershipId && (
        <>
          {' · '}
          <Emphasised text={membershipId} typed={typed} />
        </>
      )}
    </>
  ),
  link: <Link {...paths.user(id)} />,
})

const orderEntry = ({ id, orderNumber, projectName, userName }: Hit<'orders'>, typed: string): Entry => ({
  key: `order-${id}`,
  icon: <Receipt aria-hidden />,
  title: <Emphasised text={orderNumber} typed={typed} />,
  caption: (
    <>
      <Emphasised text={userName} typed={typed} />
      {' · '}
      <Emphasised text={projectName} typed={typed} />
    </>
  ),
  link: <Link {...paths.order(id)} />,
})

const types: Record<string, string> = { deposit: 'Deposit', withdrawal: 'Withdrawal', other: 'Other' }

function transactionEntry(hit: Hit<'transactions'>, typed: string): Entry {
  const { id, transactionHash, walletAddress, transactionType, userId } = hit
  return {
    key: `transaction-${id}`,
    icon: <ArrowLeftRight aria-hidden />,
    title: <EmphasisedHash text={transactionHash} typed={typed} />,
    caption: (
      <>
        {types[transactionType]}
        {' · wallet '}
        <EmphasisedHash text={walletAddress} typed={typed} />
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
  link: <Link {...paths.tokens(hit.kind === 'earning' ? {} : { tab: hit.kind })} />,
})

/** The key of what was typed whole, such as an order number: it is meant, and not the list. */
export function exactHit({ members, orders, transactions, tokens }: SearchReply, typed: string): string | undefined {
  const is = (...texts: (string | null)[]) => texts.some((text) => text?.toLowerCase() === typed.toLowerCase())
  const order = orders.find(({ orderNumber }) => is(orderNumber))
  const member = members.find(({ id, email, membershipId }) => is(id, email, membershipId))
  const transaction = transactions.find(({ transactionHash }) => is(transactionHash))
  const token = tokens.find(({ contractAddress }) => is(contractAddress))
  if (order) return `order-${order.id}`
  if (member) return `member-${member.id}`
  if (transaction) return `transaction-${transaction.id}`
  return token && `token-${token.id}`
}

/** What was found, grouped and in the contract's order; empty groups are left out. */
export function hitGroups(found: SearchReply, typed: string): Group[] {
  const groups = [
    { label: 'Members', entries: found.members.map((hit) => memberEntry(hit, typed)) },
    { label: 'Orders', entries: found.orders.map((hit) => orderEntry(hit, typed)) },
    { label: 'Transactions', entries: found.transactions.map((hit) => transactionEntry(hit, typed)) },
    { label: 'Tokens', entries: found.tokens.map((hit) => tokenEntry(hit, typed)) },
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}
