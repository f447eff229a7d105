import { Archive, Search, Undo2, X } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import {
  ignoreCodeLabels,
  ignoreCodes,
  refundCauseLabels,
  refundCauses,
  type IgnoreCode,
  type RefundCause,
} from '#contract/reconciliation.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import { formatAmount, isZero, parseAmount } from '#web/bank/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Input } from '#web/ui/input.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { Select } from '#web/ui/select.tsx'
import { nameMember } from './candidate-words.ts'
import { SplitRest } from './split-rest.tsx'
import type { Split, SplitAction, SplitPart } from './split-state.ts'

interface SplitViewProps {
  line: BankLine
  split: Split
  /** What the line has to give out. */
  open: string
  isDisabled: boolean
  onChange: (action: SplitAction) => void
  onFind: () => void
  onRefund: () => void
}

/** A line's money in parts: what each is for and how much, and what is left, while it is typed. */
export function SplitView({ line, split, open, isDisabled, onChange, onFind, onRefund }: SplitViewProps) {
  const table = useRef<HTMLTableElement>(null)
  useFocusOnNewPart(table, split.parts)
  return (
    <section aria-label="Split" className="@container mt-5">
      <FillBar split={split} open={open} />
      <div className="overflow-hidden rounded-l border bg-card">
        <table ref={table} className="w-full table-fixed border-collapse text-13">
          <colgroup>
            <col />
            <col className="w-28 @max-[34rem]:w-0" />
            <col className="w-40 @max-[24rem]:w-28" />
            <col className="w-12" />
          </colgroup>
          <thead className="bg-canvas text-12 text-quiet">
            <tr className="border-b">
              <th scope="col" className="px-4 py-2 text-left font-medium">
                For
              </th>
              <th scope="col" className="py-2 text-right font-medium @max-[34rem]:hidden">
                Outstanding
              </th>
              <th scope="col" className="px-3 py-2 text-right font-medium">
                Amount
              </th>
              <th scope="col">
                <span className="sr-only">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {split.parts.map((part) => (
              <PartRow key={part.key} {...{ part, isDisabled, onChange }} />
            ))}
          </tbody>
        </table>
        <AddButtons {...{ isDisabled, onChange, onFind, onRefund }} />
      </div>
      <SplitRest {...{ line, split, open, onChange }} />
    </section>
  )
}

const AddButtons = ({ isDisabled, onChange, onFind, onRefund }: Omit<SplitViewProps, 'line' | 'split' | 'open'>) => (
  <div className="flex flex-wrap gap-2 px-4 py-2.5">
    <Button size="small" aria-haspopup="dialog" aria-keyshortcuts="/" disabled={isDisabled} onClick={onFind}>
      <Search aria-hidden />
      Add an Order
      <KeyHint>/</KeyHint>
    </Button>
    <Button size="small" aria-keyshortcuts="R" disabled={isDisabled} onClick={onRefund}>
      <Undo2 aria-hidden />
      Refund a Part
      <KeyHint>R</KeyHint>
    </Button>
    <Button
      size="small"
      aria-keyshortcuts="I"
      disabled={isDisabled}
      onClick={() => onChange({ type: 'ignored', code: 'other_business' })}
    >
      <Archive aria-hidden />
      Put a Part Aside
      <KeyHint>I</KeyHint>
    </Button>
  </div>
)

/** Moves the focus into the amount of a part that has just been added. */
function useFocusOnNewPart(table: { current: HTMLTableElement | null }, parts: readonly SplitPart[]) {
  const known = useRef(0)
  useEffect(() => {
    const isNew = parts.length > known.current
    known.current = parts.length
    if (!isNew) return
    // After a closing dialog has given the focus back.
    const timer = setTimeout(() => {
      const field = [...(table.current?.querySelectorAll<HTMLInputElement>('input') ?? [])].at(-1)
      field?.focus()
      field?.select()
    })
    return () => clearTimeout(timer)
  }, [table, parts])
}

/** How the amount is given out, drawn to scale; what is left is hatched. */
function FillBar({ split, open }: { split: Split; open: string }) {
  const given = split.parts.map(({ key, typed }) => ({ key, amount: Number(parseAmount(typed) ?? 0) }))
  const rest = Number(open) - given.reduce((sum, { amount }) => sum + amount, 0)
  return (
    <span aria-hidden className="mb-2 flex h-2 gap-0.5 overflow-hidden rounded-s">
      {given
        .filter(({ amount }) => amount > 0)
        .map(({ key, amount }) => (
          <span key={key} style={{ flexGrow: amount }} className="keep-colour bg-accent" />
        ))}
      {rest > 0 && <span style={{ flexGrow: rest }} className="keep-colour hatched" />}
    </span>
  )
}

interface PartRowProps {
  part: SplitPart
  isDisabled: boolean
  onChange: (action: SplitAction) => void
}

const namePart = (part: SplitPart) =>
  part.purpose === 'order' ? part.order.orderNumber : part.purpose === 'refund' ? 'the refund' : 'what is put aside'

function PartRow({ part, isDisabled, onChange }: PartRowProps) {
  const { key, typed } = part
  const isBad = typed !== '' && parseAmount(typed) === null
  return (
    <tr className="border-b">
      <td className="px-4 py-2">
        <PartPurpose part={part} isDisabled={isDisabled} onChange={onChange} />
      </td>
      <td className="py-2 text-right text-quiet tabular-nums @max-[34rem]:hidden">
        {part.purpose === 'order' && formatAmount(part.order.outstanding)}
      </td>
      <td className="px-3 py-2">
        <Input
          aria-label={`Amount for ${namePart(part)}`}
          {...(isBad && { 'aria-invalid': true })}
          inputMode="decimal"
          autoComplete="off"
          maxLength={24}
          value={typed}
          disabled={isDisabled}
          onChange={({ target }) => onChange({ type: 'typed', key, typed: target.value })}
          className="text-right tabular-nums"
        />
      </td>
      <td className="py-2 pr-2">
        <IconButton
          label={`Remove ${namePart(part)}`}
          disabled={isDisabled}
          onClick={() => onChange({ type: 'removed', key })}
        >
          <X aria-hidden />
        </IconButton>
      </td>
    </tr>
  )
}

const Refusal = ({ children }: { children: ReactNode }) => (
  <span className="block text-12 text-warning-ink">{children}</span>
)

function PartPurpose({ part, isDisabled, onChange }: PartRowProps) {
  const { key } = part
  if (part.purpose === 'order') {
    const { order, refusal } = part
    return (
      <span className="block min-w-0 wrap-anywhere">
        <b>{order.orderNumber}</b>
        <span className="block text-12 text-quiet">
          <bdi>{nameMember(order)}</bdi> · <bdi>{order.projectName}</bdi>
        </span>
        <span className="hidden text-12 text-quiet @max-[34rem]:block">
          Outstanding {formatAmount(order.outstanding)}
        </span>
        {refusal !== null && <Refusal>{refusal}</Refusal>}
        {isZero(order.outstanding) && refusal === null && <Refusal>It waits for nothing.</Refusal>}
      </span>
    )
  }
  return part.purpose === 'refund' ? (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <b>To be paid back</b>
      <Select
        aria-label="Cause of the refund"
        options={refundCauses.map((value) => ({ value, label: refundCauseLabels[value] }))}
        value={part.cause}
        disabled={isDisabled}
        onChange={({ target }) => onChange({ type: 'cause', key, cause: target.value as RefundCause })}
        className="w-44 max-w-full"
      />
    </span>
  ) : (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <b>Put aside</b>
      <Select
        aria-label="Why it is put aside"
        options={ignoreCodes.map((value) => ({ value, label: ignoreCodeLabels[value] }))}
        value={part.code}
        disabled={isDisabled}
        onChange={({ target }) => onChange({ type: 'code', key, code: target.value as IgnoreCode })}
        className="w-44 max-w-full"
      />
    </span>
  )
}
