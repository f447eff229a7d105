import { afterAll } from 'vitest'
import { startFakeProvider } from './fakes/kyc-provider.ts'
import { startServer } from './server.ts'

/** A console that sends cases to a fake KYC provider, which accepts them by default. */
export async function startProviderConsole() {
  const provider = await startFakeProvider()
  const server = await startServer({
    KYC_WEBHOOK_URL: provider.url,
    KYC_WEBHOOK_SECRET: provider.secret,
    WEBHOOK_ALLOW_PRIVATE: 'on',
  })
  afterAll(() => provider.close())
  return { provider, server }
}
