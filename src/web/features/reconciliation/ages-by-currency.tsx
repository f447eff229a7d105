import { ChevronDown, ChevronUp } from 'lucide-react'
import { useState } from 'react'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { cn } from '#web/lib/cn.ts'
import { Button } from '#web/ui/button.tsx'
import { AgeingBar, addAges, orderCurrencies } from './ageing-bar.tsx'

/** Currencies that stand over the work at first; on a phone, where each has a row for two ages, only the first. */
const shownAtFirst = 2

/** How old the open money is in each currency, the one with most lines first. Many currencies leave the screen to the lines. */
export function AgesByCurrency({ accounts }: { accounts: readonly BankAccount[] }) {
  const [isWhole, setWhole] = useState(false)
  const withWork = accounts.filter(({ work }) => work.total > 0)
  const currencies = orderCurrencies(withWork)
  if (currencies.length === 0) return null
  const Chevron = isWhole ? ChevronUp : ChevronDown
  return (
    <>
      <div
        className={cn(
          'mt-1.5 grid gap-y-2 md:gap-y-0',
          !isWhole && 'max-md:[&>:nth-child(n+2)]:hidden md:[&>:nth-child(n+3)]:hidden',
        )}
      >
        {currencies.map((currency) => (
          <AgeingBar
            key={currency}
            name={`Open in ${currency}`}
            groups={addAges(withWork.filter((each) => each.currency === currency))}
            currency={currency}
            accountId={undefined}
          />
        ))}
      </div>
      {currencies.length > 1 && (
        <Button
          size="small"
          variant="ghost"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className={cn('md:-ml-2.5', currencies.length <= shownAtFirst && 'md:hidden')}
        >
          <Chevron aria-hidden />
          {isWhole ? 'Fewer currencies' : `All ${currencies.length} currencies`}
        </Button>
      )}
    </>
  )
}
