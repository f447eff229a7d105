import type { Order } from '#contract/schemas/orders.ts'
import { formatDecimal } from '#web/lib/money.ts'

export const formatMoney = ({ investmentAmount, currency }: Order) =>
  `${formatDecimal(investmentAmount, 2)} ${currency}`

/** The invested amount with its currency. Never truncated, nor wrapped where a line has room. */
export const Money = ({ order }: { order: Order }) => (
  <span className="tabular-nums rows:whitespace-nowrap rows:@max-[45rem]:text-12">
    <span className="whole-number">{formatDecimal(order.investmentAmount, 2)}</span>{' '}
    <span className="text-quiet">{order.currency}</span>
  </span>
)
