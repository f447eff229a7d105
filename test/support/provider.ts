import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '#test/support/free-port.ts'

export const providerSettings = { OIDC_CLIENT_ID: 'console', OIDC_CLIENT_SECRET: 'a-secret-of-the-tests-0123456789' }

export interface TestProvider {
  issuer: string
  /** Gives a subject its claims, or takes it away with null. */
  setAccount(subject: string, claims: Record<string, unknown> | null): Promise<void>
  stop(): void
}

/** Starts an OpenID provider in a process of its own. */
export async function startProvider(redirectUris: string[]): Promise<TestProvider> {
  const port = await freePort()
  const file = join(import.meta.dirname, 'fakes/oidc-provider.mjs')
  const child = fork(file, [JSON.stringify({ port, redirectUris })], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the provider ended at its start with ${String(signal ?? code)}`)
  })
  await Promise.race([once(child, 'message'), ended])
  return {
    issuer: `http://127.0.0.1:${port}`,
    async setAccount(subject, claims) {
      const isSet = once(child, 'message')
      child.send({ subject, claims })
      await isSet
    },
    stop: () => child.disconnect(),
  }
}
