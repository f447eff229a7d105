import { useQuery } from '@tanstack/react-query'
import type { FilterValues } from '#contract/list.ts'
import type { chainTransactionList } from '#contract/lists.ts'
import type { MonitoredTransaction } from '#contract/schemas/transactions.ts'
import { tokenRoutes } from '#contract/tokens.ts'
import { buildQuery } from '#web/api.ts'
import { shortenHash } from '#web/lib/hashes.ts'
import { MemberChip } from '#web/members/member-filter.tsx'
import { MemberPicker } from '#web/members/member-picker.tsx'
import { PermissionGate } from '#web/permission-gate.tsx'
import { ChoiceFilter } from '#web/table/choice-filter.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { useCan } from '#web/use-can.ts'

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

type Values = FilterValues<typeof chainTransactionList>

/** The filters whose values are this platform's own: its tokens and its members. */
export function ChainFilters({ values: { userId } }: { values: Values }) {
  const tokens = useTokenOptions()
  return (
    <>
      {/* Before its options are known, too: what stands below must not move when they come. */}
      <PermissionGate permission="tokens.view">
        <ChoiceFilter label="Token filter" parameter="token" all="All Tokens" options={tokens} />
      </PermissionGate>
      {!userId && (
        <PermissionGate permission="members.view">
          <MemberPicker />
        </PermissionGate>
      )}
    </>
  )
}

interface ChainChipsProps {
  values: Values
  rows: readonly MonitoredTransaction[] | undefined
}

/** A token that is not registered, and a member. */
export function ChainChips({ values: { tokenAddress, userId }, rows }: ChainChipsProps) {
  const isRegistered = useTokenOptions().some(({ value }) => value === tokenAddress)
  const symbol = rows?.find((each) => each.tokenAddress === tokenAddress)?.tokenSymbol
  return (
    <>
      {tokenAddress && !isRegistered && (
        <FilterChip label={`Token ${symbol ?? shortenHash(tokenAddress)}`} parameter="token" />
      )}
      {userId && <MemberChip userId={userId} member={findMember(rows, userId)} />}
    </>
  )
}
