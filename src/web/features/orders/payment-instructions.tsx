import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Order } from '#contract/schemas/orders.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { useCan } from '#web/use-can.ts'
import { findOwed, isOpen } from './order-facts.ts'
import { paymentsQuery } from './queries.ts'

const PaymentCode = lazy(() => import('#web/ui/qr-code.tsx'))
const SaveCode = lazy(() => import('./save-code.tsx'))

/** The size of the code, which stands there before it is drawn. */
const CodeFrame = ({ children }: { children?: ReactNode }) => (
  <div className="size-37 shrink-0 overflow-hidden rounded-m border bg-[white] print:border-0">{children}</div>
)

/** How the member pays (product 5.6): the code to scan, the reference, and what the platform says. */
export function PaymentInstructions({ order }: { order: Order }) {
  const mayView = useCan('bank.view')
  const isClosed = order.status !== 'waiting_payment'
  return (
    <Panel title="Payment Instructions">
      <div className="grid gap-3 px-4 pb-4 text-13 leading-4.5">
        {mayView ? <Code order={order} /> : !isClosed && <Reference order={order} />}
        {isClosed && order.paymentInstructions ? (
          <details>
            <summary>Instructions of the platform</summary>
            <PlatformInstructions order={order} />
          </details>
        ) : (
          <PlatformInstructions order={order} />
        )}
      </div>
    </Panel>
  )
}

const PlatformInstructions = ({ order: { paymentInstructions } }: { order: Order }) => (
  <p className="wrap-anywhere whitespace-pre-line">
    {paymentInstructions ? <bdi>{paymentInstructions}</bdi> : <MissingValue>None given by the platform</MissingValue>}
  </p>
)

/** In groups of four, as people read it. What is copied has no blanks. */
const Reference = ({ order: { paymentReference } }: { order: Order }) => (
  <div>
    <p className="text-12 text-quiet">Reference</p>
    <p className="flex flex-wrap items-center gap-1 font-mono text-16 font-semibold">
      <span className="min-w-0 break-words">{paymentReference.replaceAll(/.{4}(?=.)/g, '$& ')}</span>
      <CopyButton text={paymentReference} label="Copy reference" />
    </p>
  </div>
)

/** What the member scans, and what an operator tells who can't. */
const Request = ({ order, epc, outstanding }: { order: Order; epc: string; outstanding: string }) => (
  <div className="flex flex-wrap gap-x-5 gap-y-3">
    <LazyBoundary fallback={<CodeFrame />}>
      <CodeFrame>
        <PaymentCode text={epc} label={`Payment code for ${outstanding} EUR`} />
      </CodeFrame>
    </LazyBoundary>
    <div className="grid min-w-45 flex-1 content-start gap-3">
      <Reference order={order} />
      <p>
        For the member: pay {outstanding} EUR from a bank account in your own name, with this reference unchanged. The
        code fills in everything.
      </p>
      <div>
        <LazyBoundary
          fallback={
            <Button size="small" disabled>
              Save Code
            </Button>
          }
        >
          <SaveCode text={epc} fileName={`payment-${order.orderNumber}.svg`} />
        </LazyBoundary>
      </div>
    </div>
  </div>
)

/** What an order that waits for no payment still gets. */
function describeClosed(order: Order): string {
  const owed = findOwed(order)
  return owed === null
    ? 'Nothing more is asked for; money that still comes waits in Reconciliation.'
    : `${formatDecimal(owed, 2)} ${order.currency} is owed, which the bank took back; no code asks for it.`
}

function Code({ order }: { order: Order }) {
  const { data, error, refetch, isFetching } = useQuery(paymentsQuery(order.id))
  if (data?.epc) return <Request order={order} epc={data.epc} outstanding={formatDecimal(data.outstanding, 2)} />
  if (data)
    return (
      <>
        {isOpen(order) && <Reference order={order} />}
        <p className="text-quiet">
          {isOpen(order) ? `No payment code: ${data.epcRefusal}.` : `${data.epcRefusal}. ${describeClosed(order)}`}
        </p>
      </>
    )
  if (!error)
    return (
      <output className="block">
        <span className="sr-only">Loading...</span>
        <Skeleton className="size-37" />
      </output>
    )
  return (
    <>
      <Reference order={order} />
      <LoadFailure size="row" what="The payment code" query={{ error, isFetching, refetch }} className="mt-3" />
    </>
  )
}
