import type { ReactNode } from 'react'
import { orderMoves, orderStatusLabels } from '#contract/order-moves.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Money } from './money.tsx'

const MissingText = ({ children }: { children: ReactNode }) => <span className="text-quiet">{children}</span>

/** A value for a bank's form, with a copy button. */
const CopyableValue = ({ name, value }: { name: string; value: string }) =>
  value ? (
    <span className="-my-[3px] flex min-h-6 items-center gap-1">
      <bdi className="min-w-0 wrap-anywhere">{value}</bdi>
      <CopyButton text={value} label={`Copy ${name}`} />
    </span>
  ) : (
    <MissingText>Not given</MissingText>
  )

const OptionalInstant = ({ value, missing }: { value: string | null; missing: string }) =>
  value ? <Instant value={value} /> : <MissingText>{missing}</MissingText>

const DetailPanel = ({ title, children }: { title: string; children: ReactNode }) => (
  <Panel title={title}>
    <div className="px-4 pb-2 leading-4.5">{children}</div>
  </Panel>
)

function getNotesLabel({ status }: Order) {
  const move = orderMoves[status]
  return move?.by === 'operator' && move.notes.refusal !== null ? move.notes.label : 'Notes'
}

const Investment = ({ order }: { order: Order }) => (
  <DetailPanel title="Investment Details">
    <Facts>
      <Fact name="Project name">
        <bdi>{order.projectName}</bdi>
      </Fact>
      <Fact name="Project id">
        <CopyableValue name="project id" value={order.projectId} />
      </Fact>
      <Fact name="Amount">
        <Money order={order} />
      </Fact>
      <Fact name="Order number">
        <CopyableValue name="order number" value={order.orderNumber} />
      </Fact>
    </Facts>
  </DetailPanel>
)

const Timeline = ({ order }: { order: Order }) => (
  <DetailPanel title="Timeline">
    <Facts>
      <Fact name="Created">
        <Instant value={order.createdAt} />
      </Fact>
      <Fact name="Expires">
        <Instant value={order.expiresAt} />
      </Fact>
      <Fact name="Paid at">
        <OptionalInstant value={order.paidAt} missing="Not paid" />
      </Fact>
      <Fact name="Completed at">
        <OptionalInstant value={order.completedAt} missing="Not completed" />
      </Fact>
      {order.statusChangedBy && (
        <Fact name={orderStatusLabels[order.status]}>
          by <bdi>{order.statusChangedBy}</bdi>
          {order.statusChangedAt && (
            <>
              {' on '}
              <Instant value={order.statusChangedAt} />
            </>
          )}
        </Fact>
      )}
      {order.notes && (
        <Fact name={getNotesLabel(order)}>
          <bdi className="whitespace-pre-line">{order.notes}</bdi>
        </Fact>
      )}
    </Facts>
  </DetailPanel>
)

const BankDetails = ({ order }: { order: Order }) => (
  <DetailPanel title="Bank Details">
    <Facts>
      <Fact name="Bank name">
        <CopyableValue name="bank name" value={order.bankName} />
      </Fact>
      <Fact name="Account holder">
        <CopyableValue name="account holder" value={order.accountHolder} />
      </Fact>
      <Fact name="Account number">
        <CopyableValue name="account number" value={order.accountNumber} />
      </Fact>
      <Fact name="IBAN">
        <CopyableValue name="IBAN" value={order.iban} />
      </Fact>
      <Fact name="SWIFT">
        <CopyableValue name="SWIFT" value={order.swift} />
      </Fact>
    </Facts>
  </DetailPanel>
)

/** What was ordered, when, and how it is paid (product 5.6, order detail). */
export const OrderDetails = ({ order }: { order: Order }) => (
  <div className="grid items-start gap-4 wide:grid-cols-2">
    <Investment order={order} />
    <Timeline order={order} />
    <BankDetails order={order} />
    <DetailPanel title="Payment Instructions">
      <p className="pb-2 text-13 wrap-anywhere whitespace-pre-line">
        {order.paymentInstructions ? <bdi>{order.paymentInstructions}</bdi> : <MissingText>None given</MissingText>}
      </p>
    </DetailPanel>
  </div>
)
