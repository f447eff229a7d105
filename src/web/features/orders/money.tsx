import type { Order } from '#contract/orders.ts'
import { formatDecimal } from '#web/lib/money.ts'

export const moneyText = ({ investmentAmount, currency }: Order) => `${formatDecimal(investmentAmount, 2)} ${currency}`

/** What is invested, its currency quieter; what is too long is cut, the whole on hover. */
export const Money = ({ order }: { order: Order }) => (
  <span title={moneyText(order)} className="block min-w-0 truncate tabular-nums">
    {formatDecimal(order.investmentAmount, 2)} <span className="text-quiet">{order.currency}</span>
  </span>
)
