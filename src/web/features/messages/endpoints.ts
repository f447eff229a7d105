import type { QueryClient } from '@tanstack/react-query'
import { endpointRoutes, type EndpointState } from '#contract/endpoints.ts'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import { buildQuery } from '#web/api.ts'
import { refetchMessages } from './queries.ts'

export const stateWords: Record<EndpointState, string> = {
  healthy: 'Healthy',
  failing: 'Failing',
  paused: 'Paused',
  off: 'Off',
  unset: 'Not set',
  untried: 'Not tried yet',
}

/** All endpoints, the one of the settings first. */
export const endpointsQuery = () => buildQuery(endpointRoutes.list)

/** Fetches again what is shown of endpoints and of their messages; resolves when it is there. */
export const refetchEndpoints = (client: QueryClient) =>
  Promise.all([client.invalidateQueries(endpointsQuery()), refetchMessages(client)])

/** An endpoint as it is now. Throws where it is gone. */
export async function fetchEndpoint({ id }: Pick<Endpoint, 'id'>, client: QueryClient): Promise<Endpoint> {
  const { endpoints } = await client.fetchQuery({ ...endpointsQuery(), staleTime: 0 })
  const found = endpoints.find((endpoint) => endpoint.id === id)
  if (!found) throw new Error('This endpoint was deleted meanwhile')
  return found
}

/** Nothing goes to an endpoint that has no address, is off, or has said that it is gone. */
export const takesEvents = ({ state }: Endpoint) => state !== 'unset' && state !== 'off' && state !== 'paused'
