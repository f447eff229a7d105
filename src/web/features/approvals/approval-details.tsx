import { useQuery } from '@tanstack/react-query'
import { approvalStateLabels } from '#contract/approvals.ts'
import { orderRoutes } from '#contract/orders.ts'
import { allocationRoutes } from '#contract/bank-allocations.ts'
import type { Approval } from '#contract/schemas/approvals.ts'
import { displayName } from '#contract/members.ts'
import { buildQuery } from '#web/api.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { buildDetailLines, type DetailLine } from '#web/activity/detail-lines.ts'
import { cn } from '#web/lib/cn.ts'
import { capitalize } from '#web/lib/words.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Link } from '#web/link.tsx'
import { BannedMark } from '#web/members/ban-notes.tsx'
import { OrderBadge } from '#web/members/order-badge.tsx'
import { WaitingLines } from '#web/bank/waiting-lines.tsx'
import { paths } from '#web/paths.ts'
import { MemberPeekSummary } from '#web/peek/member-panel.tsx'
import { memberPeekQuery } from '#web/peek/queries.ts'
import { Instant } from '#web/ui/instant.tsx'
import { useCan } from '#web/use-can.ts'
import { Panel } from '#web/ui/panel.tsx'

/** What would change, or has changed, and how the request stands. */
export const ApprovalDetails = ({ approval }: { approval: Approval }) => (
  <div className="grid gap-4 wide:grid-cols-[7fr_5fr] wide:items-start">
    <Changes approval={approval} />
    <div className="grid gap-4">
      {approval.target.type === 'order' && <OrderSummary id={approval.target.id} />}
      {approval.target.type === 'user' && <MemberSummary id={approval.target.id} />}
      <Course approval={approval} />
    </div>
  </div>
)

/** The member as they are now. */
function MemberSummary({ id }: { id: string }) {
  const canView = useCan('members.view')
  const { data } = useQuery({ ...memberPeekQuery(id), enabled: canView })
  return (
    data && (
      <Panel title="Member">
        <div className="px-4 pb-4">
          <MemberPeekSummary peek={data} />
        </div>
      </Panel>
    )
  )
}

/** The order as it is now, so that nobody approves a number alone. */
function OrderSummary({ id }: { id: string }) {
  const canView = useCan('orders.view')
  const canViewBank = useCan('bank.view')
  const { data } = useQuery({ ...buildQuery(orderRoutes.detail, { params: { id } }), enabled: canView })
  const payments = useQuery({
    ...buildQuery(allocationRoutes.orderPayments, { params: { id } }),
    enabled: canView && canViewBank,
  })
  if (!data) return null
  const { order } = data
  const { userFirstName: legalFirstName, userLastName: legalLastName, userEmail: email } = order
  return (
    <Panel title="Order">
      <div className="px-4 pb-2 leading-4.5">
        <Facts>
          <Fact name="Member">
            <Link {...paths.member(order.userId)} className="link-reference">
              <bdi>{displayName({ legalFirstName, legalLastName, email })}</bdi>
            </Link>{' '}
            <BannedMark member={{ kycBanned: order.userBanned, bannedReason: order.userBannedReason }} />
          </Fact>
          <Fact name="Project">
            <bdi>{order.projectName}</bdi>
          </Fact>
          <Fact name="Status">
            <OrderBadge status={order.status} />
          </Fact>
          <Fact name="Expires">
            <Instant value={order.expiresAt} />
          </Fact>
          {order.notes !== null && (
            <Fact name="Notes">
              <bdi className="wrap-anywhere">{order.notes}</bdi>
            </Fact>
          )}
        </Facts>
        {payments.data && (
          <WaitingLines lines={payments.data.waiting} advice="Compare it before you decide." className="my-2" />
        )}
      </div>
    </Panel>
  )
}

function Changes({ approval: { changes, state } }: { approval: Approval }) {
  const lines = changes.flatMap(({ details }) => buildDetailLines(details))
  const changed = lines.filter(isChange)
  const facts = lines.filter((line) => !isChange(line))
  return (
    <Panel
      title={state === 'open' ? 'What Would Change' : state === 'approved' ? 'What Changed' : 'What Was Requested'}
    >
      {changed.length > 0 && (
        <table className="w-full table-fixed border-collapse text-13">
          <thead className="text-left text-12 text-quiet">
            <tr className="border-b">
              <th scope="col" className="w-1/3 py-2 pr-3 pl-4 font-medium phone:w-33 md:w-41">
                Field
              </th>
              <th scope="col" className="py-2 pr-3 font-medium">
                Before
              </th>
              <th scope="col" className="py-2 pr-4 font-medium">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {[...changed, ...facts].map((line) => (
              <LineRow key={line.label} line={line} />
            ))}
          </tbody>
        </table>
      )}
      {changed.length === 0 && (
        <div className="px-4 pb-2 leading-4.5">
          <Facts>
            {facts.map(({ label, to }) => (
              <Fact key={label} name={label}>
                <bdi className="wrap-anywhere">{capitalizeFixed(to)}</bdi>
              </Fact>
            ))}
          </Facts>
        </div>
      )}
    </Panel>
  )
}

/** A change, or what belongs to it. */
const LineRow = ({ line: { label, from, to } }: { line: DetailLine }) => (
  <tr className="border-b align-top last:border-b-0">
    <th scope="row" className="py-2 pr-3 pl-4 text-left font-regular wrap-anywhere text-quiet">
      {label}
    </th>
    {from !== undefined && (
      <td className="py-2 pr-3 wrap-anywhere">
        <bdi>{capitalize(from)}</bdi>
      </td>
    )}
    <td
      colSpan={from === undefined ? 2 : 1}
      className={cn('py-2 pr-4 wrap-anywhere', from !== undefined && 'font-medium')}
    >
      <bdi>{from === undefined ? capitalizeFixed(to) : capitalize(to)}</bdi>
    </td>
  </tr>
)

/** What stands for a value that nobody has typed. */
const fixedWords = new Set(['none', 'yes', 'no'])

const capitalizeFixed = (value: string) => (fixedWords.has(value) ? capitalize(value) : value)

const isChange = ({ from }: DetailLine) => from !== undefined

function Course({ approval }: { approval: Approval }) {
  const { amount, currency, state, decidedBy, closedAt, comment, failure } = approval
  return (
    <Panel title="Request">
      <div className="px-4 pb-2 leading-4.5">
        <Facts>
          {amount !== null && (
            <Fact name="Amount">
              <span className="whole-number tabular-nums">
                {formatAmount(amount)} {currency}
              </span>
            </Fact>
          )}
          <Fact name="Requested by">
            <bdi>{approval.requestedBy}</bdi>
          </Fact>
          <Fact name="Requested">
            <Instant value={approval.requestedAt} />
          </Fact>
          {state === 'open' && (
            <Fact name="Expires">
              <Instant value={approval.expiresAt} />
            </Fact>
          )}
          {decidedBy !== null && (
            <Fact name={state === 'declined' ? 'Declined by' : 'Approved by'}>
              <bdi>{decidedBy}</bdi>
            </Fact>
          )}
          {closedAt !== null && (
            <Fact name={approvalStateLabels[state]}>
              <Instant value={closedAt} />
            </Fact>
          )}
          {comment !== null && (
            <Fact name="Comment">
              <bdi className="wrap-anywhere">{comment}</bdi>
            </Fact>
          )}
          {failure !== null && (
            <Fact name="Why it failed">
              <span className="wrap-anywhere">{failure}</span>
            </Fact>
          )}
        </Facts>
      </div>
    </Panel>
  )
}
