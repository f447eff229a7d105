import type { QueryClient } from '@tanstack/react-query'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { accountsQuery } from '#web/bank/queries.ts'

/** Fetches an account as it is now. Throws when it is gone. */
export async function fetchAccount({ id }: BankAccount, client: QueryClient): Promise<BankAccount> {
  const { accounts } = await client.fetchQuery({ ...accountsQuery(), staleTime: 0 })
  const found = accounts.find((each) => each.id === id)
  if (!found) throw new Error(`there is no bank account ${id}`)
  return found
}
