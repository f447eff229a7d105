import { formatDecimal } from '#web/lib/money.ts'

/** 15 digits before the point and 18 after it are shown whole. Longer amounts are truncated. */
const longest = 40

/** An amount of tokens with every digit, its unit quieter. A number is not wrapped where a line has room; one that is absurdly long is cut, the whole on hover. */
export function TokenAmount({ value, unit }: { value: string; unit?: string | null }) {
  const amount = formatDecimal(value)
  const isLong = amount.length > 20
  return (
    <span
      title={unit ? `${amount} ${unit}` : amount}
      className={isLong ? 'text-12 max-[22.5rem]:tracking-[-0.02em]' : undefined}
    >
      <span className={amount.length > longest ? 'inline-block max-w-72 truncate align-bottom' : 'whole-number'}>
        {amount}
      </span>
      {unit && (
        <>
          {' '}
          <bdi className="inline-block max-w-24 truncate align-bottom text-quiet">{unit}</bdi>
        </>
      )}
    </span>
  )
}
