import { Archive, Search, Undo2, X } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import {
  writeOffCodeLabels,
  writeOffCodes,
  refundCauseLabels,
  refundCauses,
  type WriteOffCode,
  type RefundCause,
} from '#contract/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import { formatAmount, readPositiveAmount } from '#web/bank/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Input } from '#web/ui/input.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { Select } from '#web/ui/select.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { nameCredit, nameMember, nameTransfer } from '#web/features/bank/desk/line/candidate-allocations.ts'
import { CreditPurpose } from './credit-purpose.tsx'
import { MemberKey } from '#web/features/bank/desk/line/member-key.tsx'
import { calculatePayable, findProblem } from './split-orders.ts'
import { SplitRest } from './split-rest.tsx'
import { ReturnPurpose } from '#web/features/bank/desk/line/credit-target.tsx'
import { findCreditMost, type Split, type SplitAction, type SplitAllocation } from './split-state.ts'

interface SplitViewProps {
  line: BankLine
  split: Split
  /** What the line has to give out. */
  open: string
  /** What orders get too much, by the key of their allocation. */
  excess: ReadonlyMap<string, string>
  isDisabled: boolean
  /** The amounts are under way: they keep the focus, and stay as they are. */
  isSending: boolean
  onChange: (action: SplitAction) => void
  onFind: () => void
  onRefund: () => void
}

/** A line's money in allocations: what each is for and how much, and what is left, while it is typed. */
export function SplitView({ line, split, open, excess, isDisabled, isSending, ...rest }: SplitViewProps) {
  const { onChange } = rest
  const table = useRef<HTMLTableElement>(null)
  useFocusOnNewAllocation(table, split.allocations)
  const isCredit = line.direction === 'credit'
  return (
    // While an amount is typed the keys of the buttons are text.
    <section aria-label="Split" className="@container mt-5 has-[input[data-amount]:focus]:[&_kbd]:opacity-35">
      <FillBar split={split} open={open} />
      <div className="overflow-hidden rounded-l border bg-card">
        <table ref={table} className="w-full table-fixed border-collapse text-13">
          <colgroup>
            <col />
            <col className="w-28 @max-[34rem]:hidden" />
            <col className="w-40 @max-[24rem]:w-28" />
            <col className="w-12" />
          </colgroup>
          <thead className="bg-canvas text-12 text-quiet">
            <tr className="border-b">
              <th scope="col" className="px-4 py-2 text-left font-medium">
                For
              </th>
              <th scope="col" className="py-2 text-right font-medium @max-[34rem]:hidden">
                {isCredit ? 'Outstanding' : 'Due'}
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
            {split.allocations.map((allocation) => (
              <AllocationRow
                key={allocation.key}
                refusal={findProblem(allocation, excess.get(allocation.key) ?? '0')}
                {...{ allocation, split, isDisabled, isSending, onChange }}
              />
            ))}
          </tbody>
        </table>
        <AddButtons isCredit={isCredit} isDisabled={isDisabled || isSending} {...rest} />
      </div>
      <SplitRest {...{ line, split, open, onChange }} />
    </section>
  )
}

interface AddButtonsProps extends Pick<SplitViewProps, 'isDisabled' | 'onChange' | 'onFind' | 'onRefund'> {
  isCredit: boolean
}

const AddButtons = ({ isCredit, isDisabled, onChange, onFind, onRefund }: AddButtonsProps) => (
  <div className="flex flex-wrap gap-2 px-4 py-2.5">
    <Button size="small" aria-haspopup="dialog" aria-keyshortcuts="/" disabled={isDisabled} onClick={onFind}>
      <Search aria-hidden />
      {isCredit ? 'Add an Order' : 'Add a Payment'}
      <KeyHint>/</KeyHint>
    </Button>
    {isCredit && (
      <Button size="small" aria-keyshortcuts="R" disabled={isDisabled} onClick={onRefund}>
        <Undo2 aria-hidden />
        Refund a Part
        <KeyHint>R</KeyHint>
      </Button>
    )}
    <Button
      size="small"
      aria-keyshortcuts="I"
      disabled={isDisabled}
      onClick={() => onChange({ type: 'ignored', code: isCredit ? 'other_business' : 'fee' })}
    >
      <Archive aria-hidden />
      Put a Part Aside
      <KeyHint>I</KeyHint>
    </Button>
  </div>
)

/** Moves the focus into the amount of an allocation that has just been added. */
function useFocusOnNewAllocation(table: { current: HTMLTableElement | null }, allocations: readonly SplitAllocation[]) {
  const known = useRef(0)
  useEffect(() => {
    const isNew = allocations.length > known.current
    known.current = allocations.length
    if (!isNew) return
    // After a closing dialog has given the focus back.
    const timer = setTimeout(() => {
      const field = [...(table.current?.querySelectorAll<HTMLInputElement>('input') ?? [])].at(-1)
      field?.focus()
      field?.select()
    })
    return () => clearTimeout(timer)
  }, [table, allocations])
}

/** How the amount is given out, drawn to scale; what is left is hatched. */
function FillBar({ split, open }: { split: Split; open: string }) {
  const given = split.allocations.map(({ key, typed }) => ({
    key,
    amount: Number(readPositiveAmount(typed, split.places).amount ?? 0),
  }))
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

interface AllocationRowProps {
  allocation: SplitAllocation
  split: Split
  /** Why the order can't have its allocation. */
  refusal: string | null
  isDisabled: boolean
  isSending: boolean
  onChange: (action: SplitAction) => void
}

function nameAllocation(allocation: SplitAllocation): string {
  switch (allocation.purpose) {
    case 'order':
      return allocation.order.orderNumber
    case 'refund':
      return 'the refund'
    case 'ignored':
      return 'what is put aside'
    case 'payBack':
      return `the refund of ${nameCredit(allocation.credit)}`
    case 'takeBack':
      return nameCredit(allocation.credit)
    case 'return':
      return `the return of ${nameTransfer(allocation.transfer)}`
  }
}

/** How much the allocation can have at most; null where nothing says. */
function findLimit(allocation: SplitAllocation): string | null {
  if (allocation.purpose === 'order') return calculatePayable(allocation.order)
  if (allocation.purpose === 'return') return allocation.transfer.returnable
  return 'credit' in allocation ? findCreditMost(allocation) : null
}

function AllocationRow({ allocation, split, refusal, isDisabled, isSending, onChange }: AllocationRowProps) {
  const { key, typed } = allocation
  const problem = typed === '' ? undefined : readPositiveAmount(typed, split.places).problem
  const limit = findLimit(allocation)
  const id = useId()
  const isFixed = isDisabled || isSending
  return (
    <tr className="border-b">
      <td className="px-4 py-2">
        <PurposeCell {...{ allocation, split, onChange }} isDisabled={isFixed} />
        {refusal !== null && <Refusal id={`${id}refusal`}>{refusal}</Refusal>}
      </td>
      <td className="py-2 text-right text-quiet tabular-nums @max-[34rem]:hidden">
        {limit !== null && formatAmount(limit)}
      </td>
      <td className="px-3 py-2">
        <Input
          data-amount
          aria-label={`Amount for ${nameAllocation(allocation)}`}
          {...((refusal !== null || problem !== undefined) && {
            'aria-invalid': true,
            'aria-describedby': problem === undefined ? `${id}refusal` : `${id}problem`,
          })}
          inputMode="decimal"
          autoComplete="off"
          maxLength={24}
          value={typed}
          disabled={isDisabled}
          readOnly={isSending}
          onChange={({ target }) => onChange({ type: 'typed', key, typed: target.value })}
          className="text-right tabular-nums"
        />
        <span id={`${id}problem`}>{problem !== undefined && <FieldError>{problem}</FieldError>}</span>
      </td>
      <td className="py-2 pr-2">
        <IconButton
          label={`Remove ${nameAllocation(allocation)}`}
          disabled={isFixed}
          onClick={() => onChange({ type: 'removed', key })}
        >
          <X aria-hidden />
        </IconButton>
      </td>
    </tr>
  )
}

const Refusal = ({ id, children }: { id: string; children: ReactNode }) => (
  <span id={id} className="block text-12 wrap-anywhere text-danger-ink">
    {children}
  </span>
)

function PurposeCell({ allocation, split, isDisabled, onChange }: Omit<AllocationRowProps, 'refusal' | 'isSending'>) {
  const { key } = allocation
  if ('credit' in allocation) return <CreditPurpose {...{ allocation, split, isDisabled, onChange }} />
  if (allocation.purpose === 'return') return <ReturnPurpose transfer={allocation.transfer} />
  if (allocation.purpose === 'order') {
    const { order } = allocation
    return (
      <span className="block min-w-0 wrap-anywhere">
        <b>{order.orderNumber}</b>
        <span className="block text-12 text-quiet">
          <bdi>{nameMember(order)}</bdi> · <bdi>{order.projectName}</bdi>
        </span>
        <MemberKey order={order} />
        <span className="hidden text-12 text-quiet @max-[34rem]:block">
          Outstanding {formatAmount(calculatePayable(order))}
        </span>
      </span>
    )
  }
  return allocation.purpose === 'refund' ? (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <b>To be paid back</b>
      <Select
        aria-label="Cause of the refund"
        options={refundCauses.map((value) => ({ value, label: refundCauseLabels[value] }))}
        value={allocation.cause}
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
        options={writeOffCodes.map((value) => ({ value, label: writeOffCodeLabels[value] }))}
        value={allocation.code}
        disabled={isDisabled}
        onChange={({ target }) => onChange({ type: 'code', key, code: target.value as WriteOffCode })}
        className="w-44 max-w-full"
      />
    </span>
  )
}
