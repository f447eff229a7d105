import { Fragment } from 'react'
import type { Order } from '#contract/orders.ts'
import { formatDecimal } from '#web/lib/money.ts'

export const moneyText = ({ investmentAmount, currency }: Order) => `${formatDecimal(investmentAmount, 2)} ${currency}`

/** What is invested, its currency quieter. Money is never cut: what is too long goes on below, between its thousands. */
export const Money = ({ order }: { order: Order }) => (
  <span className="block min-w-0 leading-4.5 wrap-break-word tabular-nums">
    {formatDecimal(order.investmentAmount, 2)
      .split(/(?<=,)/)
      .map((group, index) => (
        <Fragment key={index}>
          {group}
          <wbr />
        </Fragment>
      ))}{' '}
    <span className="text-quiet">{order.currency}</span>
  </span>
)
