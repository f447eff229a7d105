import type { AddressInfo } from 'node:net'
import { sandboxProvider } from './provider.ts'

// Ctrl-C and a stop of the whole terminal reach this process too, but it ends with its console: however that goes, the
// channel to it closes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit(0))
if (!process.connected) process.exit(0)

process.once('message', (secret) => {
  const provider = sandboxProvider(String(secret))
  provider.listen(0, '127.0.0.1', () => process.send?.((provider.address() as AddressInfo).port))
})
