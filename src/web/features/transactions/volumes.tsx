import { Popover } from 'radix-ui'
import { useEffect, useRef } from 'react'
import type { TransactionFigures } from '#contract/schemas/transactions.ts'
import { cn } from '#web/lib/cn.ts'
import { shortenHash } from '#web/lib/hashes.ts'
import { formatCount, formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { usePopover } from '#web/ui/use-popover.ts'

type Volume = TransactionFigures['volumes'][number]

const getUnit = ({ tokenSymbol, tokenAddress }: Volume) => tokenSymbol ?? shortenHash(tokenAddress)

/** The transfers that a volume adds up. */
const linkToTransfers = ({ tokenAddress }: Volume) => paths.transactions({ status: 'completed', token: tokenAddress })

/** The largest token's volume; amounts of different tokens are never added together (product 12.4). */
export function LargestVolume({ figures: { volumes } }: { figures: TransactionFigures }) {
  const [largest] = volumes
  if (!largest) return <>0</>
  const amount = formatDecimal(largest.volume)
  const [whole = '', fraction] = amount.split('.')
  return (
    // Whole units are always shown, the fraction as far as there is space.
    <Link
      {...linkToTransfers(largest)}
      title={`${amount} ${getUnit(largest)}`}
      className={cn(
        'flex min-w-0 items-baseline rounded-s whitespace-nowrap link-subject',
        // In narrow cards a long amount is smaller, with its unit below.
        amount.length > 8 && 'max-wide:flex-wrap max-wide:text-14 max-wide:*:leading-4',
      )}
    >
      <span
        className={cn('wide:contents max-wide:mr-1.5 max-wide:flex max-wide:min-w-0', whole.length > 11 && 'text-13')}
      >
        <span>{whole}</span>
        {fraction && <span className="min-w-0 truncate">.{fraction}</span>}
      </span>
      <bdi className="min-w-8 wide:ml-1.5 truncate text-13 font-regular text-quiet">{getUnit(largest)}</bdi>
    </Link>
  )
}

/** Long enough for the pointer to cross to the list. */
const leaveAfterMs = 150

/** The other tokens' volumes, shown on hover, on focus and on a tap. */
export function OtherVolumes({ figures }: { figures: TransactionFigures }) {
  const { volumes, tokens } = figures
  const [isOpen, setOpen] = usePopover()
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
    timer.current = setTimeout(() => setOpen(false), leaveAfterMs)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        type="button"
        className="relative z-1 -my-1 max-w-full truncate py-1 rounded-s align-top link-popover"
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
          // A long list can be scrolled by keyboard.
          tabIndex={0}
          onFocus={open}
          onBlur={leave}
          className="popover w-80 p-4"
        >
          <VolumeList figures={figures} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

const VolumeList = ({ figures: { volumes, tokens } }: { figures: TransactionFigures }) => (
  <>
    <p className="mb-2 text-12 text-quiet">Completed transfers, each token by itself</p>
    <ul className="space-y-1.5">
      {volumes.map((volume) => (
        <li key={volume.tokenAddress} className="flex justify-between gap-4">
          <bdi title={volume.tokenAddress} className="min-w-0 truncate text-quiet">
            {getUnit(volume)}
          </bdi>
          <span className="whitespace-nowrap tabular-nums">{formatDecimal(volume.volume)}</span>
        </li>
      ))}
    </ul>
    {tokens > volumes.length && (
      <p className="mt-2 text-12 text-quiet">and {formatCount(tokens - volumes.length)} smaller ones</p>
    )}
  </>
)
