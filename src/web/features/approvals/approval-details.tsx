import { approvalStateLabels } from '#contract/approvals.ts'
import type { Approval } from '#contract/schemas/approvals.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { buildDetailLines, type DetailLine } from '#web/lib/detail-lines.ts'
import { capitalize } from '#web/lib/words.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Panel } from '#web/ui/panel.tsx'

/** What would change, or has changed, and how the request stands. */
export const ApprovalDetails = ({ approval }: { approval: Approval }) => (
  <div className="grid gap-4 wide:grid-cols-[7fr_5fr] wide:items-start">
    <Changes approval={approval} />
    <Course approval={approval} />
  </div>
)

function Changes({ approval: { changes, state } }: { approval: Approval }) {
  const lines = changes.flatMap(({ details }) => buildDetailLines(details))
  const changed = lines.filter(isChange)
  const facts = lines.filter((line) => !isChange(line))
  return (
    <Panel
      title={state === 'open' ? 'What Would Change' : state === 'approved' ? 'What Changed' : 'What Was Requested'}
    >
      {changed.length > 0 && (
        <table className="w-full border-collapse text-13">
          <thead className="text-left text-12 text-quiet">
            <tr className="border-b">
              <th scope="col" className="px-4 py-2 font-medium">
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
            {changed.map(({ label, from, to }) => (
              <tr key={label} className="border-b align-top last:border-b-0">
                <th scope="row" className="px-4 py-2 text-left font-regular text-quiet">
                  {label}
                </th>
                <td className="py-2 pr-3 wrap-anywhere">
                  <bdi>{from && capitalize(from)}</bdi>
                </td>
                <td className="py-2 pr-4 font-medium wrap-anywhere">
                  <bdi>{capitalize(to)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {facts.length > 0 && (
        <div className={`px-4 pb-2 leading-4.5 ${changed.length > 0 ? 'border-t' : ''}`}>
          <Facts>
            {facts.map(({ label, to }) => (
              <Fact key={label} name={label}>
                <bdi className="wrap-anywhere">{to}</bdi>
              </Fact>
            ))}
          </Facts>
        </div>
      )}
    </Panel>
  )
}

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
