import type { AddressInfo } from 'node:net'
import { createSandboxProvider } from './provider.ts'
import { decideCase, sendResult } from './results.ts'

// Ctrl-C and a stop of the whole terminal reach this process too. It ends with its console, when the channel to it closes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit(0))
if (!process.connected) process.exit(0)

/** A message of the console: the secret first, later the address at which it listens. */
interface ConsoleMessage {
  secret?: string
  console?: string
}

let address: string | undefined
process.on('message', ({ secret, console }: ConsoleMessage) => {
  address = console ?? address
  if (secret === undefined) return
  const provider = createSandboxProvider(secret, (taken, id) => {
    void sendResult({ id: `result-${id}`, secret, findConsole: () => address }, decideCase(taken))
  })
  provider.listen(0, '127.0.0.1', () => process.send?.((provider.address() as AddressInfo).port))
})
