import { useQuery } from '@tanstack/react-query'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { OrderCandidate } from '#contract/schemas/bank-candidates.ts'
import { accountsQuery } from '#web/bank/queries.ts'
import { markDifferences } from './account-difference.ts'

interface NamedAccount {
  name: string
  account: string
}

/** The accounts of a candidate that are other ones than expected: the payer's, and the one of ours that got the money. */
export function AccountComparisons({ candidate, line }: { candidate: OrderCandidate; line: BankLine }) {
  const { usualAccounts, flags, orders } = candidate
  const payer = line.payer.account
  const asked = [...new Set(orders.flatMap(({ iban }) => iban ?? []))]
  return (
    <>
      {payer !== null && usualAccounts.length > 0 && (
        <Comparison
          given={{ name: 'Paid from', account: payer }}
          others={usualAccounts.map((account) => ({ name: 'So far from', account }))}
        />
      )}
      {flags.includes('other_account') && <OwnAccounts accountId={line.accountId} asked={asked} />}
    </>
  )
}

function OwnAccounts({ accountId, asked }: { accountId: string; asked: readonly string[] }) {
  const own = useQuery(accountsQuery()).data?.accounts.find(({ id }) => id === accountId)
  if (!own) return null
  return (
    <Comparison
      given={{ name: 'Came to', account: own.account }}
      others={asked.map((account) => ({ name: 'Order asks for', account }))}
    />
  )
}

interface ComparisonProps {
  given: NamedAccount
  others: NamedAccount[]
}

/** Account numbers one below the other, whole, with the digits that differ marked. */
const Comparison = ({ given, others }: ComparisonProps) => (
  <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-12 narrowest:grid-cols-[minmax(0,1fr)]">
    <Account {...given} others={others} />
    {others.map((other) => (
      <Account key={other.account} {...other} others={[given]} />
    ))}
  </dl>
)

const Account = ({ name, account, others }: NamedAccount & { others: NamedAccount[] }) => (
  <>
    <dt>{name}</dt>
    <dd className="min-w-0 wrap-anywhere tabular-nums">
      <bdi>
        {markDifferences(
          account,
          others.map((other) => other.account),
        ).map(({ text, isDifferent }, at) => (
          <span key={at}>
            {at > 0 && ' '}
            {isDifferent ? (
              <mark className="bg-transparent font-semibold text-inherit underline decoration-warning-solid decoration-2 underline-offset-3">
                {text}
              </mark>
            ) : (
              text
            )}
          </span>
        ))}
      </bdi>
    </dd>
  </>
)
