import { formatDecimal } from '#web/lib/money.ts'

/** An amount of tokens with every digit, its unit quieter; what is too long wraps on a phone, else is cut, the whole on hover. */
export function Amount({ value, unit }: { value: string; unit?: string | null }) {
  const amount = formatDecimal(value)
  return (
    <span title={unit ? `${amount} ${unit}` : amount} className="block min-w-0 max-md:wrap-anywhere md:truncate">
      {amount}
      {unit && <span className="text-quiet"> {unit}</span>}
    </span>
  )
}
