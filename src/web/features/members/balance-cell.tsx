import { useQuery } from '@tanstack/react-query'
import { CircleAlert, RefreshCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { walletRoutes } from '#contract/wallets.ts'
import type { ReplyOf } from '#contract/route.ts'
import { buildQuery, describeError } from '#web/api.ts'
import { formatInstant } from '#web/lib/dates.ts'
import { shortenHash } from '#web/lib/hashes.ts'
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

/** A wallet's balance, read from the chain on request. A failure reads "Error" (product 9.3). */
export function BalanceCell({ address }: { address: string }) {
  const { data, error, isFetching, refetch } = useQuery({
    ...buildQuery(walletRoutes.balance, { params: { walletAddress: address } }),
    enabled: false,
  })
  const wasAsked = useRef(false)
  const check = () => {
    wasAsked.current = true
    void refetch()
  }
  // This button replaces the pressed one and takes its focus.
  const takeFocus = useCallback((button: HTMLButtonElement | null) => {
    if (wasAsked.current && document.activeElement === document.body) button?.focus({ preventScroll: true })
  }, [])
  if (!data && !error) {
    return (
      <Button size="small" loading={isFetching} onClick={check} aria-label={`Check Balance of ${shortenHash(address)}`}>
        Check Balance
      </Button>
    )
  }
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <output className="min-w-0">
        {error ? (
          <Failure reason={describeError(error, 'The balance could not be read.')} />
        ) : (
          data && <Balance balance={data} />
        )}
      </output>
      <IconButton
        ref={takeFocus}
        tiny
        label={`Check balance of ${shortenHash(address)} again`}
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

/** More tokens than this are shown on request. */
const mostShown = 3

/** The amount of each token. Amounts of different tokens are never added. */
function Balance({ balance: { tokens, partial, failed, blockAt, isOld } }: { balance: WalletBalance }) {
  const [isWhole, setWhole] = useState(false)
  const holdings = tokens.length === 1 ? tokens : tokens.filter(({ balance }) => balance !== '0')
  const shown = isWhole ? holdings : holdings.slice(0, mostShown)
  const each = tokens.map(({ tokenSymbol, balance }) => `${formatDecimal(balance)} ${tokenSymbol}`)
  const missing = failed.map(({ tokenSymbol, error }) => `${tokenSymbol} not read: ${failures[error]}`)
  return (
    <span
      title={[...each, ...missing].join('\n') || 'No tokens'}
      className="block min-w-0 py-1.5 text-13 leading-4.5 tabular-nums"
    >
      {shown.map(({ tokenSymbol, balance }) => (
        <span key={tokenSymbol} className="flex gap-1">
          <span className="truncate">{formatDecimal(balance)}</span>
          <bdi className="shrink-0 text-quiet">{tokenSymbol}</bdi>
        </span>
      ))}
      {holdings.length === 0 && (
        <span className="text-quiet">{tokens.length > 0 ? `None of ${tokens.length} tokens` : 'No tokens'}</span>
      )}
      {holdings.length > mostShown && (
        <button
          type="button"
          aria-expanded={isWhole}
          className="hit-area block rounded-s link-popover text-quiet"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `and ${holdings.length - mostShown} more`}
        </button>
      )}
      {partial && (
        <Warning>
          Partial<span className="font-regular"> · {missing.join(' · ')}</span>
        </Warning>
      )}
      {isOld && <Warning>As of {formatInstant(blockAt)}: no node has newer blocks</Warning>}
    </span>
  )
}

const Warning = ({ children }: { children: ReactNode }) => (
  <span className="flex gap-1 text-12 text-warning-ink">
    <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
    <span className="min-w-0">{children}</span>
  </span>
)
