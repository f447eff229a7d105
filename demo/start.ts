import { createKycProvider } from '#server/adapters/kyc-provider.ts'
import { holdsDemoData } from '#server/core/stored-settings.ts'
import type { Demo } from '#server/process/demo.ts'
import { openLocalChain } from './chain/local-chain.ts'
import { fillDemoApart } from './platform/fill-apart.ts'
import { startSandbox } from './sandbox/start.ts'

export const demo: Demo = {
  fill: fillDemoApart,
  async open(services, say) {
    const { config, database, log } = services
    const localChain = await openLocalChain(services, say)
    const sandbox = !config.kycWebhookUrl && (await holdsDemoData(database)) ? startSandbox(log) : undefined
    if (sandbox) services.kycProvider = createKycProvider(config, { findSandbox: () => sandbox.find() })
    return {
      start(address) {
        sandbox?.setConsoleAddress(address)
        localChain.start()
      },
      stop: () => Promise.all([localChain.stop(), sandbox?.stop()]),
    }
  },
}
