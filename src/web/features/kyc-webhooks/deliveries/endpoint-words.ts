import type { EndpointState } from '#contract/endpoints.ts'

export const stateWords: Record<EndpointState, string> = {
  healthy: 'Healthy',
  failing: 'Failing',
  paused: 'Paused',
  off: 'Off',
  unset: 'Not set',
  untried: 'Not tried yet',
}
