import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { approvalDesigns } from '#contract/approvals.ts'
import { mostExactLines, allocationRoutes, allocationTexts } from '#contract/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { BankPolicy } from '#contract/schemas/bank-policy.ts'
import { call, describeChangeRefusal, describeError } from '#web/api.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { isCoveredBy, requestLabel, useApprovalNeed } from '#web/approvals/approval-need.ts'
import { countLines, nameParty } from '#web/bank/words.ts'
import { refetchBank } from '#web/bank/queries.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatCount } from '#web/lib/money.ts'
import { refetchReads } from '#web/refetch-reads.ts'
import { useCan } from '#web/use-can.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast.ts'
import { calculateOpen } from '#web/features/bank/desk/line/candidate-allocations.ts'
import { divideExact, sumExact } from './exact-sums.ts'
import { readDraft, readPolicy } from './policy-fields.tsx'
import { policyQuery, workQuery } from '#web/features/bank/desk/queries.ts'
import { type SkippedLine, SkippedList } from './skipped-list.tsx'
import type { Batch } from '#web/features/bank/desk/use-decision-stack.ts'

interface ExactDialogProps {
  accountId: string | undefined
  onApplied: (batch: Batch) => void
  onUndo: (batch: Batch) => void
  onClose: () => void
  onPolicy: () => void
}

/** Applies the listed lines; stays open while some were left out, to say why. */
function useApplyExact({ onApplied, onUndo, onClose }: Pick<ExactDialogProps, 'onApplied' | 'onUndo' | 'onClose'>) {
  const client = useQueryClient()
  const [skipped, setSkipped] = useState<SkippedLine[] | null>(null)
  const apply = useSingleMutation({
    mutationFn: async ({ lines, switchOn: policy }: ExactList) => {
      if (policy)
        await call(allocationRoutes.savePolicy, {
          body: readPolicy({ ...readDraft(policy), autoApply: true }),
          ifMatch: policy.version,
        })
      return call(allocationRoutes.applyExact, { body: { lines: lines.map(({ id, version }) => ({ id, version })) } })
    },
    // The lines as they were sent: the list may be another one by now.
    onSuccess: async (reply, { lines }) => {
      const find = (id: string) => lines.find((line) => line.id === id)
      const applied = reply.applied.map(({ id, allocationIds }) => ({ line: find(id)!, allocationIds }))
      const left = reply.skipped.length > 0 ? `, ${countLines(reply.skipped.length)} left out` : ''
      toast({
        tone: 'success',
        title: allocationTexts.applied,
        description: `${countLines(applied.length)} applied${left}`,
        ...(applied.length > 0 && { action: { label: 'Undo', run: () => onUndo({ applied }) } }),
      })
      if (applied.length > 0) onApplied({ applied })
      setSkipped(reply.skipped.map((each) => ({ ...each, line: find(each.id) })))
      await refetchBank(client)
      void refetchReads(client, '/api/orders')
      if (reply.skipped.length === 0) onClose()
    },
    onError: () => void refetchBank(client),
  })
  return { apply, skipped }
}

/** The lines as they are listed, to be applied or not. */
interface ExactList {
  /** As the server has them: the oldest. */
  listed: BankLine[]
  lines: BankLine[]
  repeated: BankLine[]
  total: number
  /** The policy that lets none be applied together, and is changed first. */
  switchOn?: BankPolicy | undefined
}

const focusButton = (button: HTMLButtonElement | null) => button?.focus()

interface ApplyButtonProps {
  label: string
  /** There is nothing to apply yet. */
  isOff: boolean
  /** E opens the list and Enter applies what it shows. */
  hasFocus: boolean
  isPending: boolean
  onApply: () => void
}

/** Can have the focus before the list is loaded. */
const ApplyButton = ({ label, isOff, hasFocus, isPending, onApply }: ApplyButtonProps) => (
  <ChangeButton
    ref={hasFocus ? focusButton : undefined}
    variant="primary"
    loading={isPending}
    {...(isOff && { 'aria-disabled': true })}
    onClick={() => !isOff && onApply()}
    className={isOff ? 'opacity-50' : ''}
  >
    <CheckCheck aria-hidden />
    {label}
  </ChangeButton>
)

/** The lines that a rule lets a second operator approve. */
function useRequests(lines: readonly BankLine[]): BankLine[] {
  const { rule } = useApprovalNeed('apply_payment')
  return rule ? lines.filter((line) => isCoveredBy(rule, line)) : []
}

/** The lines that fit exactly, to be looked over and applied with one press, where the policy allows it. */
export default function ExactDialog({ accountId, onPolicy, ...handlers }: ExactDialogProps) {
  const { onClose } = handlers
  const list = useQuery(workQuery({ accountId, work: 'exact' }, mostExactLines))
  const policy = useQuery(policyQuery())
  const listed = list.data?.lines ?? []
  const { first, repeated } = divideExact(listed)
  const { apply, skipped } = useApplyExact(handlers)
  const offered: ExactList = { listed, lines: first, repeated, total: list.data?.total ?? 0 }
  // What was confirmed stands while it is applied, though the list becomes shorter.
  const shown = (apply.isPending ? apply.variables : undefined) ?? offered
  const { lines } = shown
  const requests = useRequests(lines)
  const isOff = policy.data?.policy.autoApply === false
  const areAllRequests = requests.length > 0 && requests.length === lines.length
  const mayChangePolicy = useCan('bank.policy')
  const policyNeed = useApprovalNeed('set_bank_policy')
  const canSwitchOn = isOff && mayChangePolicy && !policyNeed.rule && !areAllRequests
  const verb = isOff ? 'Switch On and Apply' : 'Apply'
  const failure = apply.error ?? list.error ?? policy.error
  return (
    <Dialog
      title={skipped ? 'Left out' : nameList(shown)}
      description={
        skipped
          ? 'These lines were not applied. They stay in the list.'
          : 'Each names one order, by the member, in the amount that it waits for.'
      }
      onClose={onClose}
      locked={apply.isPending}
      className="max-w-180!"
    >
      <DialogBody>
        {failure && (
          <Note tone="danger" role="alert" className="mb-3">
            {apply.error ? describeChangeRefusal(failure) : describeError(failure)}
          </Note>
        )}
        {isOff && !skipped && <PolicyOffNote />}
        {!skipped && <RequestsNote requests={requests.length} all={lines.length} />}
        {skipped ? <SkippedList skipped={skipped} /> : <ListedLines {...shown} />}
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose} disabled={apply.isPending}>
          {skipped ? 'Close' : 'Cancel'}
        </Button>
        {isOff && !skipped && <Button onClick={onPolicy}>Open the Policy</Button>}
        {!skipped && (!isOff || canSwitchOn) && (
          <ApplyButton
            label={areAllRequests ? requestLabel : `${verb} ${formatCount(lines.length)}`}
            isOff={!policy.data || lines.length === 0}
            hasFocus={!isOff}
            isPending={apply.isPending}
            onApply={() => apply.mutate({ ...offered, ...(isOff && { switchOn: policy.data?.policy }) })}
          />
        )}
      </DialogFooter>
    </Dialog>
  )
}

/** The total is that of the button which opens the list. */
const nameList = ({ lines, total }: ExactList) =>
  lines.length < total
    ? `Apply ${formatCount(lines.length)} of ${countLines(total)} that fit exactly`
    : `Apply ${countLines(lines.length)} that fit exactly`

const PolicyOffNote = () => (
  <Note className="mb-3">
    {allocationTexts.policyOff}. With that switched on an operator still presses the button; one by one these lines can
    be applied now.
  </Note>
)

/** Which of the lines become requests for an approval. */
const RequestsNote = ({ requests, all }: { requests: number; all: number }) =>
  requests > 0 && (
    <Note role="note" className="mb-3">
      {requests === all ? 'These lines need' : `${countLines(requests)} of these need`} the approval of a second
      operator by the rule “{approvalDesigns.apply_payment.label}”: they are requested one by one, and nothing is
      changed before they are approved.
    </Note>
  )

/** What will be applied, what will not, and how much more there is. */
const ListedLines = ({ listed, lines, repeated, total }: ExactList) => (
  <>
    {lines.length > 0 && <ExactTotals lines={lines} />}
    <ExactTable lines={lines} />
    {repeated.length > 0 && <RepeatedLines lines={repeated} />}
    {total > listed.length && listed.length > 0 && (
      <p className="mt-3 text-12 text-quiet">
        The oldest {formatCount(listed.length)} of {formatCount(total)}. The others come after these.
      </p>
    )}
  </>
)

function ExactTable({ lines }: { lines: BankLine[] }) {
  return (
    <div className="@container">
      <table className="w-full border-collapse text-13">
        <thead className="text-left text-12 text-quiet">
          <tr className="border-b">
            <th scope="col" className="py-1.5 pr-3 font-medium @max-[26rem]:hidden">
              Booked
            </th>
            <th scope="col" className="py-1.5 pr-3 font-medium">
              Payer
            </th>
            <th scope="col" className="py-1.5 pr-3 font-medium">
              Order
            </th>
            <th scope="col" className="py-1.5 text-right font-medium">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => {
            const { id, bookedOn, currency, proposedOrders } = line
            return (
              <tr key={id} className="border-b align-top">
                <td className="py-2 pr-3 whitespace-nowrap text-quiet tabular-nums @max-[26rem]:hidden">
                  {bookedOn && formatDay(bookedOn)}
                </td>
                <td className="py-2 pr-3 wrap-anywhere">
                  <bdi>{nameParty(line)}</bdi>
                </td>
                <td className="py-2 pr-3 font-medium wrap-anywhere">{proposedOrders.join(', ')}</td>
                <td className="py-2 text-right tabular-nums">
                  <span className="whole-number">
                    {formatAmount(calculateOpen(line))} <span className="text-quiet">{currency}</span>
                  </span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Only one line pays an order. */
const RepeatedLines = ({ lines }: { lines: BankLine[] }) => (
  <section aria-labelledby="repeated-lines" className="mt-4">
    <h3 id="repeated-lines" className="mb-2 text-13">
      Not with these
    </h3>
    <SkippedList
      skipped={lines.map((line) => ({
        id: line.id,
        line,
        message: `${line.proposedOrders.join(', ')} is paid by a line above.`,
      }))}
    />
  </section>
)

/** What will be applied in all: of each account, and of each currency that several accounts have. */
function ExactTotals({ lines }: { lines: readonly BankLine[] }) {
  const { accounts, currencies } = sumExact(lines)
  return (
    <ul aria-label="Totals" className="mb-4 rounded-l border bg-canvas px-4 py-2 text-13">
      {[...accounts, ...currencies].map(({ key, name, currency, count, amount, isOfCurrency }) => (
        <li key={key} className={`flex flex-wrap items-baseline gap-x-4 py-1 ${isOfCurrency ? 'font-semibold' : ''}`}>
          <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
            <bdi>{name}</bdi> <span className="font-regular whitespace-nowrap text-quiet">{countLines(count)}</span>
          </span>
          <span className="whole-number tabular-nums">
            {formatAmount(amount)} <span className="font-regular text-quiet">{currency}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
