import { useQuery } from '@tanstack/react-query'
import { CircleAlert, RefreshCw, TriangleAlert } from 'lucide-react'
import { useCallback, useRef } from 'react'
import { walletRoutes } from '#contract/wallets.ts'
import type { ReplyOf } from '#contract/route.ts'
import { queryOf, serverMessage } from '#web/api.ts'
import { shortHash } from '#web/lib/hashes.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type WalletBalance = ReplyOf<typeof walletRoutes.balance>

const failures: Record<WalletBalance['failed'][number]['error'], string> = {
  no_contract: 'no contract at its address',
  call_failed: 'the chain refused the call',
  bad_address: 'its address is malformed',
}

/** A wallet's balance, asked of the chain only when the operator wants it; a failure reads "Error" (SPEC section 8). */
export function BalanceCell({ address }: { address: string }) {
  const { data, error, isFetching, refetch } = useQuery({
    ...queryOf(walletRoutes.balance, { params: { walletAddress: address } }),
    enabled: false,
  })
  const wasAsked = useRef(false)
  const check = () => {
    wasAsked.current = true
    void refetch()
  }
  // The button pressed gives way to this one, and its focus with it.
  const takeFocus = useCallback((button: HTMLButtonElement | null) => {
    if (wasAsked.current && document.activeElement === document.body) button?.focus({ preventScroll: true })
  }, [])
  if (!data && !error) {
    return (
      <Button size="small" loading={isFetching} onClick={check} aria-label={`Check Balance of ${shortHash(address)}`}>
        Check Balance
      </Button>
    )
  }
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <output className="min-w-0">
        {error ? (
          <Failure reason={serverMessage(error, 'The balance could not be read.')} />
        ) : (
          data && <Balance of={data} />
        )}
      </output>
      <IconButton
        ref={takeFocus}
        tiny
        label={`Check balance of ${shortHash(address)} again`}
        aria-busy={isFetching}
        onClick={check}
      >
        {isFetching ? <Spinner /> : <RefreshCw aria-hidden />}
      </IconButton>
    </span>
  )
}

const Failure = ({ reason }: { reason: string }) => (
  <span title={reason} className="inline-flex items-center gap-1.5 font-medium text-danger-ink">
    <CircleAlert aria-hidden className="size-3.5 shrink-0" />
    Error
    <span className="sr-only">: {reason}</span>
  </span>
)

/** The total adds units of different tokens, so those that are held stand beneath, each with its own; all are on hover. */
function Balance({ of: { totalBalance, tokens, partial, failed } }: { of: WalletBalance }) {
  const inWords = ({ tokenSymbol, balance }: WalletBalance['tokens'][number]) =>
    `${formatDecimal(balance)} ${tokenSymbol}`
  const each = tokens.map(inWords)
  const held = tokens.filter(({ balance }) => balance !== '0').map(inWords)
  const missing = failed.map(({ tokenSymbol, error }) => `${tokenSymbol} not read: ${failures[error]}`)
  const beneath = held.length > 0 || tokens.length < 2 ? held : [`None of ${tokens.length} tokens`]
  const [only] = tokens
  return (
    <span title={[...each, ...missing].join('\n') || 'No tokens'} className="block min-w-0 leading-4.5 tabular-nums">
      <span className="flex items-center gap-1">
        <span className="truncate">{formatDecimal(totalBalance)}</span>
        {tokens.length === 1 && only && <span className="text-quiet">{only.tokenSymbol}</span>}
        {partial && (
          <span className="inline-flex items-center gap-1 text-12 text-warning-ink">
            <TriangleAlert aria-hidden className="size-3.5" />
            Partial
          </span>
        )}
      </span>
      {(tokens.length > 1 || missing.length > 0) && (
        <span className="block truncate text-12 text-quiet">{[...beneath, ...missing].join(' · ')}</span>
      )}
    </span>
  )
}
