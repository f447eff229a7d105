import type { ReactNode } from 'react'
import { findPlacesProblem } from '#contract/currencies.ts'
import { findIbanProblem, leastIban } from '#contract/iban.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { Activity } from '#web/activity/activity.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { capitalize } from '#web/lib/words.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { Money } from './money.tsx'
import { PaymentInstructions } from './payment-instructions.tsx'
import { Payments } from './payments.tsx'
import { Timeline } from './timeline.tsx'

const MissingText = ({ children }: { children: ReactNode }) => <span className="text-quiet">{children}</span>

/** A value for a bank's form, with a copy button. */
const CopyableValue = ({ name, value, shown = value }: { name: string; value: string; shown?: string }) =>
  value ? (
    <span className="-my-[3px] flex min-h-6 items-center gap-1">
      <bdi className="min-w-0 wrap-anywhere">{shown}</bdi>
      <CopyButton text={value} label={`Copy ${name}`} />
    </span>
  ) : (
    <MissingText>Not given</MissingText>
  )

/** What is wrong with a value that came with an order's history. New ones are refused. */
const Problem = ({ text }: { text: string | null }) =>
  text && <span className="block text-12 text-warning-ink">{capitalize(text)}</span>

const DetailPanel = ({ title, children }: { title: string; children: ReactNode }) => (
  <Panel title={title}>
    <div className="px-4 pb-2 leading-4.5">{children}</div>
  </Panel>
)

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
        <Problem text={findPlacesProblem(order.investmentAmount, order.currency)} />
      </Fact>
      <Fact name="Order number">
        <CopyableValue name="order number" value={order.orderNumber} />
      </Fact>
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
        <CopyableValue name="IBAN" value={order.iban} shown={formatAccountNumber(order.iban)} />
        <Problem text={findIbanProblem(order.iban, leastIban)} />
      </Fact>
      <Fact name="SWIFT">
        <CopyableValue name="SWIFT" value={order.swift} />
      </Fact>
    </Facts>
  </DetailPanel>
)

/** What was ordered, when, how it is paid and what the bank's money covers (product 5.6, order detail). */
export const OrderDetails = ({ order }: { order: Order }) => (
  <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] wide:*:grid wide:*:gap-4">
    <div className="wide:col-span-2">
      <Timeline order={order} />
    </div>
    <div className="max-wide:contents">
      <PermissionGate permission="bank.view">
        <Payments order={order} />
      </PermissionGate>
      <Investment order={order} />
      <Activity
        subject={{ type: 'order', id: order.id }}
        className="rounded-l border bg-card px-4 pt-2 pb-1 max-wide:order-last"
      />
    </div>
    <div className="max-wide:contents">
      <PaymentInstructions order={order} />
      <BankDetails order={order} />
    </div>
  </div>
)
