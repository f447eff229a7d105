import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { plainText, TextField } from '#web/ui/text-field.tsx'
import type { SearchChange } from '#web/use-search-change.ts'
import { amountParameters, isAmount } from './amount-filter.tsx'
import type { List } from './use-list.ts'

interface AmountFormProps {
  list: List
  onApply: (change: SearchChange) => void
  onBack: () => void
}

/** `1,500.00` as `1500.00`. */
const readAmount = (typed: string) => typed.replaceAll(/[\s,]/g, '')

const findAmountProblem = (text: string) => (text && !isAmount(text) ? 'A number, such as 1500.00.' : null)

/** What is wrong with each field; null where it may be as it is. */
function findProblems(currency: string, min: string, max: string, hasCurrency: boolean) {
  const needsCurrency = hasCurrency && Boolean(currency || min || max)
  return {
    currency: needsCurrency && !/^[A-Z]{3}$/.test(currency) ? 'Three letters, such as EUR.' : null,
    min: findAmountProblem(min),
    max: findAmountProblem(max),
  }
}

/** A currency and the bounds of an amount in it. Of several currencies none are compared. */
export function AmountForm({ list: { design, amounts }, onApply, onBack }: AmountFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [currency, setCurrency] = useState(amounts.currency ?? '')
  const [typed, setTyped] = useState({ min: amounts.min ?? '', max: amounts.max ?? '' })
  const [isTold, setTold] = useState(false)
  const hasCurrency = design.amounts === 'currency'
  const [min, max] = [readAmount(typed.min), readAmount(typed.max)]
  const problems = findProblems(currency, min, max, hasCurrency)
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), [])
  function submit(event: FormEvent) {
    event.preventDefault()
    setTold(true)
    if (Object.values(problems).some(Boolean)) return
    const values = { currency: currency || undefined, min: min || undefined, max: max || undefined }
    onApply(Object.fromEntries(amountParameters.map((name) => [name, values[name]])))
  }
  const told = (name: keyof typeof problems) => (isTold ? problems[name] : null)
  const field = { ...plainText, maxLength: 80, inputClassName: 'tabular-nums' }
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-3 p-1.5">
      {hasCurrency && (
        <TextField
          label="Currency"
          error={told('currency')}
          {...plainText}
          maxLength={3}
          value={currency}
          onType={(text) => setCurrency(text.toUpperCase())}
        />
      )}
      <TextField
        label="From"
        optional={hasCurrency}
        error={told('min')}
        inputMode="decimal"
        {...field}
        value={typed.min}
        onType={(text) => setTyped({ ...typed, min: text })}
      />
      <TextField
        label="Up to"
        optional
        error={told('max')}
        inputMode="decimal"
        {...field}
        value={typed.max}
        onType={(text) => setTyped({ ...typed, max: text })}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" variant="primary">
          Apply
        </Button>
      </div>
    </form>
  )
}
