import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { mostExactLines, reconciliationRoutes, reconciliationTexts } from '#contract/reconciliation.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import { call, describeChangeRefusal, describeError } from '#web/api.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { countLines } from '#web/bank/count-words.ts'
import { refetchBank } from '#web/bank/queries.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatCount } from '#web/lib/money.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast.ts'
import { calculateOpen } from './candidate-parts.ts'
import { divideExact } from './exact-sums.ts'
import { ExactTotals } from './exact-totals.tsx'
import { policyQuery, workQuery } from './queries.ts'

interface ExactDialogProps {
  accountId: string | undefined
  onClose: () => void
  onPolicy: () => void
}

type Skipped = { id: string; message: string }

/** Applies the listed lines; stays open while some were left out, to say why. */
function useApplyExact(lines: BankLine[], onClose: () => void) {
  const client = useQueryClient()
  const [skipped, setSkipped] = useState<(Skipped & { line: BankLine | undefined })[] | null>(null)
  const apply = useSingleMutation({
    mutationFn: () =>
      call(reconciliationRoutes.applyExact, { body: { lines: lines.map(({ id, version }) => ({ id, version })) } }),
    onSuccess: async (reply) => {
      const { applied } = reply
      toast({
        tone: 'success',
        title: reconciliationTexts.applied,
        description: `${countLines(applied.length)} applied${reply.skipped.length > 0 ? `, ${countLines(reply.skipped.length)} left out` : ''}`,
      })
      setSkipped(reply.skipped.map((each) => ({ ...each, line: lines.find(({ id }) => id === each.id) })))
      await refetchBank(client)
      void client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === '/api/orders' })
      if (reply.skipped.length === 0) onClose()
    },
    onError: () => void refetchBank(client),
  })
  return { apply, skipped }
}

/** The lines that fit exactly, to be looked over and applied with one press, where the policy allows it. */
export default function ExactDialog({ accountId, onClose, onPolicy }: ExactDialogProps) {
  const list = useQuery(workQuery({ accountId, work: 'exact' }, mostExactLines))
  const policy = useQuery(policyQuery())
  const listed = list.data?.lines ?? []
  const { first: lines, repeated } = divideExact(listed)
  const total = list.data?.total ?? 0
  const { apply, skipped } = useApplyExact(lines, onClose)
  const isOff = policy.data?.policy.autoApply === false
  const failure = apply.error ?? list.error ?? policy.error
  return (
    <Dialog
      title={skipped ? 'Left out' : `Apply ${countLines(lines.length)} that fit exactly`}
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
        {isOff && !skipped && (
          <Note className="mb-3">
            {reconciliationTexts.policyOff}. Switch it on to apply these lines together; one by one they can be applied
            now.
          </Note>
        )}
        {skipped ? <SkippedList skipped={skipped} /> : <ListedLines {...{ listed, lines, repeated, total }} />}
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose} disabled={apply.isPending}>
          {skipped ? 'Close' : 'Cancel'}
        </Button>
        {isOff && !skipped && <Button onClick={onPolicy}>Open the Policy</Button>}
        {!skipped && (
          <ChangeButton
            variant="primary"
            loading={apply.isPending}
            disabled={isOff || !policy.data || lines.length === 0}
            onClick={() => apply.mutate()}
          >
            <CheckCheck aria-hidden />
            Apply {formatCount(lines.length)}
          </ChangeButton>
        )}
      </DialogFooter>
    </Dialog>
  )
}

interface ListedLinesProps {
  /** As the server has them: the oldest. */
  listed: BankLine[]
  lines: BankLine[]
  repeated: BankLine[]
  total: number
}

/** What will be applied, what will not, and how much more there is. */
const ListedLines = ({ listed, lines, repeated, total }: ListedLinesProps) => (
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
            const { id, bookedOn, payer, currency, proposedOrders } = line
            return (
              <tr key={id} className="border-b align-top">
                <td className="py-2 pr-3 whitespace-nowrap text-quiet tabular-nums @max-[26rem]:hidden">
                  {bookedOn && formatDay(bookedOn)}
                </td>
                <td className="py-2 pr-3 wrap-anywhere">
                  <bdi>{payer.name ?? payer.account ?? 'Not named'}</bdi>
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

const SkippedList = ({ skipped }: { skipped: (Skipped & { line: BankLine | undefined })[] }) => (
  <ul className="space-y-2 text-13">
    {skipped.map(({ id, message, line }) => (
      <li key={id}>
        {line && (
          <span className="font-medium">
            <bdi>{line.payer.name ?? line.payer.account ?? 'Not named'}</bdi>, {formatAmount(line.amount)}{' '}
            {line.currency}:{' '}
          </span>
        )}
        {message}
      </li>
    ))}
  </ul>
)
