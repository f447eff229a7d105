import type { QueryClient } from '@tanstack/react-query'
import { operatorRoutes } from '#contract/operators.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import { buildQuery } from '#web/api.ts'
import { accountQuery } from '#web/use-can.ts'

export const operatorsQuery = () => buildQuery(operatorRoutes.list)

/** Fetches again the operators, and whether there are others. */
export const refetchOperators = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: operatorsQuery().queryKey }),
    client.invalidateQueries({ queryKey: accountQuery.queryKey }),
  ])

/** An operator as they are now. */
export async function fetchOperator({ id }: Operator, client: QueryClient): Promise<Operator> {
  const { operators } = await client.fetchQuery({ ...operatorsQuery(), staleTime: 0 })
  const found = operators.find((operator) => operator.id === id)
  if (!found) throw new Error('This operator is not known any more')
  return found
}
