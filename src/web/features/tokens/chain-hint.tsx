import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { chainRoutes } from '#contract/chain.ts'
import type { ContractCheck } from '#contract/schemas/chain.ts'
import { addressForm } from '#contract/common.ts'
import { decimalsRange, findDifferences, longestSymbol } from '#contract/tokens.ts'
import { buildQuery, describeError } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import type { TokenDraft } from './token-form.ts'

type TokenSuggestion = Partial<Pick<TokenDraft, 'tokenSymbol' | 'decimals'>>

interface ChainHintProps {
  typed: TokenDraft
  /** Puts the contract's values into the form. */
  onTake: (taken: TokenSuggestion) => void
}

/** Shows the contract's own data once its address is complete. It never prevents saving. */
export function ChainHint({ typed, onTake }: ChainHintProps) {
  const address = typed.contractAddress.trim()
  const isWhole = addressForm.test(address)
  const { data, error, refetch, isFetching } = useQuery({
    ...buildQuery(chainRoutes.contract, { params: { address } }),
    enabled: isWhole,
    // Not cached, since the answer may change later.
    gcTime: 0,
  })
  return (
    <div aria-live="polite" className="min-h-5 text-12">
      {!isWhole ? (
        <QuietText>Symbol and decimals are checked on the chain once the address is complete.</QuietText>
      ) : error ? (
        <Note tone="warning">{describeError(error)}</Note>
      ) : !data || isFetching ? (
        <QuietText>
          <Spinner className="size-3.5" /> Asking the chain…
        </QuietText>
      ) : data.state === 'off' ? (
        <QuietText>No chain is configured, so symbol and decimals are not checked.</QuietText>
      ) : data.state === 'unreachable' ? (
        <QuietText>
          The chain can’t be reached right now. You can still add the token; it is checked later.
          <Button size="small" onClick={() => void refetch()}>
            Check Again
          </Button>
        </QuietText>
      ) : (
        <ContractSummary check={data} typed={typed} onTake={onTake} />
      )}
    </div>
  )
}

const QuietText = ({ children }: { children: ReactNode }) => (
  <p className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-quiet">{children}</p>
)

function ContractSummary({ check, typed, onTake }: ChainHintProps & { check: ContractCheck }) {
  const decimals = /^\d+$/.test(typed.decimals.trim()) ? Number(typed.decimals) : null
  const differences = findDifferences({ tokenSymbol: typed.tokenSymbol.toUpperCase(), decimals }, check)
  const suggestion = findSuggestion(check, typed)
  const takeButton = Object.values(suggestion).length > 0 && (
    <Button size="small" className="mt-1.5 max-w-full" onClick={() => onTake(suggestion)}>
      <span className="min-w-0 truncate">Use {describeSuggestion(suggestion)}</span>
    </Button>
  )
  if (check.state === 'no_contract' || differences.some(({ field }) => field === 'contractAddress'))
    return (
      <Note tone="warning">
        {check.state === 'no_contract' ? 'No contract found here.' : 'The contract at this address is not a token.'} You
        can still add the token.
      </Note>
    )
  const facts = [check.name, check.symbol, check.decimals === null ? null : `${check.decimals} decimals`]
  const summary = (
    <>
      On the chain: <bdi className="break-words">{facts.filter((word) => word !== null).join(' · ')}</bdi>
    </>
  )
  if (differences.length > 0)
    return (
      <Note tone="warning">
        {summary}
        <ul>
          {differences.map(({ field, text }) => (
            <li key={field}>
              Differs in <bdi>{text}</bdi>
            </li>
          ))}
        </ul>
        {takeButton}
      </Note>
    )
  return (
    <>
      <QuietText>
        <Check aria-hidden className="size-3.5 shrink-0 text-success-ink" />
        <span className="min-w-0">{summary}</span>
      </QuietText>
      {takeButton}
    </>
  )
}

/** The contract's values that differ from the form and fit into it. */
function findSuggestion({ symbol, decimals }: ContractCheck, typed: TokenDraft): TokenSuggestion {
  const wanted = symbol?.toUpperCase()
  const canTakeSymbol = wanted !== undefined && wanted.length <= longestSymbol
  const canTakeDecimals = decimals !== null && decimals <= decimalsRange.max
  return {
    ...(canTakeSymbol && wanted !== typed.tokenSymbol.trim().toUpperCase() && { tokenSymbol: wanted }),
    ...(canTakeDecimals && String(decimals) !== typed.decimals.trim() && { decimals: String(decimals) }),
  }
}

const describeSuggestion = ({ tokenSymbol, decimals }: TokenSuggestion): string =>
  [tokenSymbol, decimals !== undefined && `${decimals} decimals`].filter(Boolean).join(' and ')
