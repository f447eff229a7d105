/**
 * What an endpoint of the platform is at. `unset`: the settings name no address. `off`: an operator switched it off.
 * `paused`: it answered 410 and takes no more until it is resumed. `failing`: its last try failed. `untried`: nothing was
 * ever sent.
 */
export const endpointStates = ['healthy', 'failing', 'paused', 'off', 'unset', 'untried'] as const
export type EndpointState = (typeof endpointStates)[number]
