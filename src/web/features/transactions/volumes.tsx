import { Popover } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import type { TransactionFigures } from '#contract/transactions.ts'
import { shortHash } from '#web/lib/hashes.ts'
import { formatCount, formatDecimal } from '#web/lib/money.ts'

type Volume = TransactionFigures['volumes'][number]

const unitOf = ({ tokenSymbol, tokenAddress }: Volume) => tokenSymbol ?? shortHash(tokenAddress)

/** The largest token's volume; amounts of different tokens are never added together (PRODUCT 3.15). */
export function LargestVolume({ figures: { volumes } }: { figures: TransactionFigures }) {
  const [largest] = volumes
  if (!largest) return <>0</>
  const amount = formatDecimal(largest.volume)
  return (
    <span title={`${amount} ${unitOf(largest)}`} className="flex min-w-0 items-baseline gap-1.5">
      <span className="min-w-0 truncate">{amount}</span>
      <bdi className="shrink-0 text-13 font-regular text-quiet">{unitOf(largest)}</bdi>
    </span>
  )
}

/** Long enough for the pointer to cross to the list. */
const leaveAfter = 150

/** The other tokens' volumes, shown on hover, on focus and on a tap. */
export function OtherVolumes({ figures: { volumes, tokens } }: { figures: TransactionFigures }) {
  const [isOpen, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const others = volumes.slice(1)
  if (others.length === 0) return <>{volumes.length === 0 ? 'nothing completed yet' : 'the only token'}</>

  function open() {
    clearTimeout(timer.current)
    setOpen(true)
  }
  function leave() {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(false), leaveAfter)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        type="button"
        className="rounded-s underline decoration-border-control decoration-dotted underline-offset-3 hover:text-ink"
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && open()}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && leave()}
        onFocus={open}
        onBlur={leave}
        onClick={(event) => {
          event.preventDefault()
          open()
        }}
      >
        and {formatCount(tokens - 1)} other {tokens === 2 ? 'token' : 'tokens'}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Volume by token"
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onPointerEnter={open}
          onPointerLeave={leave}
          // A list too long to be seen whole is scrolled by keyboard too.
          tabIndex={0}
          onFocus={open}
          onBlur={leave}
          className="z-30 max-h-120 w-80 max-w-[calc(100vw-1rem)] animate-fade overflow-y-auto rounded-l bg-raised p-4 text-13 shadow-float"
        >
          <p className="mb-2 text-12 text-quiet">Completed transfers, each token by itself</p>
          <ul className="space-y-1.5">
            {volumes.map((volume) => (
              <li key={volume.tokenAddress} className="flex justify-between gap-4">
                <bdi title={volume.tokenAddress} className="shrink-0 text-quiet">
                  {unitOf(volume)}
                </bdi>
                <span className="min-w-0 text-right break-words tabular-nums">{formatDecimal(volume.volume)}</span>
              </li>
            ))}
          </ul>
          {tokens > volumes.length && (
            <p className="mt-2 text-12 text-quiet">and {formatCount(tokens - volumes.length)} smaller ones</p>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
