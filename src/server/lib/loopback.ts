export const isLoopbackName = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(host)

/** Whether an address stays on this machine. */
export const isLoopback = (address: string): boolean => isLoopbackName(new URL(address).hostname)
