import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { addressForm } from '#contract/common.ts'
import type { MonitoredTransaction } from '#contract/schemas/transactions.ts'
import { tokenRoutes } from '#contract/tokens.ts'
import { buildQuery } from '#web/api.ts'
import { shortenHash } from '#web/lib/hashes.ts'
import { MemberChip, useMemberFilter } from '#web/members/member-filter.tsx'
import { MemberPicker } from '#web/members/member-picker.tsx'
import { transactionTypes } from '#web/members/transactions.tsx'
import { PermissionGate } from '#web/permission-gate.tsx'
import { ChoiceFilter, useChoice } from '#web/table/choice-filter.tsx'
import { dayParameters, DayRangeFilter, useDays } from '#web/table/day-filter.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { useCan } from '#web/use-can.ts'

const types = Object.entries(transactionTypes).map(([value, { label }]) => ({ value, label }))
const typeValues = ['deposit', 'withdrawal', 'other'] as const

/** The filters' parameters in the address bar. */
export const chainFilterNames = ['type', 'token', 'userId', ...dayParameters]

/** The token filter from the address bar. An invalid address is not a filter. */
function useTokenFilter(): string | undefined {
  const { token }: { token?: unknown } = useSearch({ strict: false })
  return typeof token === 'string' && addressForm.test(token) ? token.toLowerCase() : undefined
}

/** What the address bar narrows the transfers to, besides search and status. */
export const useChainFilters = () => ({
  type: useChoice('type', typeValues),
  tokenAddress: useTokenFilter(),
  userId: useMemberFilter(),
  ...useDays(),
})

/** The registered contracts, each once. */
function useTokenOptions() {
  const enabled = useCan('tokens.view')
  const earning = useQuery({ ...buildQuery(tokenRoutes.list, { params: { kind: 'earning' } }), enabled })
  const fractions = useQuery({ ...buildQuery(tokenRoutes.list, { params: { kind: 'fractions' } }), enabled })
  const symbols = new Map(
    [...(fractions.data ?? []), ...(earning.data ?? [])].map((each) => [each.contractAddress, each.tokenSymbol]),
  )
  return [...symbols]
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
}

/** The member on either side of a transfer, from a row. */
function findMember(rows: readonly MonitoredTransaction[] | undefined, userId: string) {
  const sides = rows?.flatMap(({ user, counterparty }) => [user, counterparty?.user]) ?? []
  return sides.find((each) => each?.id === userId) ?? undefined
}

/** The filters beside the status: type, token, member and days. */
export function ChainFilters({ rows }: { rows: readonly MonitoredTransaction[] | undefined }) {
  const { tokenAddress, userId } = useChainFilters()
  const tokens = useTokenOptions()
  const isRegistered = tokens.some(({ value }) => value === tokenAddress)
  const symbol = rows?.find((each) => each.tokenAddress === tokenAddress)?.tokenSymbol
  return (
    <>
      <ChoiceFilter label="Type filter" parameter="type" all="All Types" options={types} />
      {/* Before its options are known, too: what stands below must not move when they come. */}
      <PermissionGate permission="tokens.view">
        <ChoiceFilter label="Token filter" parameter="token" all="All Tokens" options={tokens} />
      </PermissionGate>
      {tokenAddress && !isRegistered && (
        <FilterChip label={`Token ${symbol ?? shortenHash(tokenAddress)}`} parameter="token" />
      )}
      {userId ? (
        <MemberChip userId={userId} member={findMember(rows, userId)} />
      ) : (
        <PermissionGate permission="members.view">
          <MemberPicker />
        </PermissionGate>
      )}
      <DayRangeFilter />
    </>
  )
}
