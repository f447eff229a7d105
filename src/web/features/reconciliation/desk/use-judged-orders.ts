import { useQuery } from '@tanstack/react-query'
import type { Candidate } from '#contract/schemas/reconciliation.ts'
import { judgedQuery } from './queries.ts'

/** Orders that an operator chose, by their ids, as they are now: fetched again with the line, whoever changes them. */
export function useJudgedOrders(lineId: string, orderIds: readonly string[]): ReadonlyMap<string, Candidate> {
  const { data = [] } = useQuery({ ...judgedQuery(lineId, orderIds), enabled: orderIds.length > 0 })
  return new Map(data.flatMap(({ candidate }) => candidate.orders.map(({ id }) => [id, candidate] as const)))
}
