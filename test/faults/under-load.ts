import { History } from './history.ts'
import { type Installation, type InstallationOptions, startInstallation } from './installation.ts'
import { checkInstallation, type ScenarioOptions, type ScenarioResult } from './scenario.ts'
import { startWriters } from './writers.ts'

export interface Load {
  installation: Installation
  history: History
  /** Lets the calls under way end, and makes no new ones. */
  stop: () => Promise<void>
}

interface LoadOptions extends InstallationOptions {
  clients?: number
  /** A client gives a call up after this time. */
  timeoutMs?: number
  /** Where clients call, if not at the console itself. */
  origins?: (installation: Installation) => Promise<readonly string[]>
}

type Findings = Partial<Pick<ScenarioResult, 'recovery' | 'figures' | 'violations'>>

/**
 * Starts an installation and clients that change it, and makes the faults of `work`. Afterwards the history of all calls is compared
 * with what the installation holds. Ends everything, whatever happens.
 */
export async function runUnderLoad(
  { workspace, rounds }: ScenarioOptions,
  { clients, timeoutMs, origins = async ({ origin }) => [origin], ...options }: LoadOptions,
  work: (load: Load) => Promise<Findings>,
): Promise<ScenarioResult> {
  const installation = await startInstallation(workspace, options)
  try {
    const history = new History()
    const addresses = await origins(installation)
    const writers = startWriters({
      history,
      intentions: installation.intentions,
      origins: addresses,
      ...(clients !== undefined && { clients }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
    let found: Findings
    try {
      found = await work({ installation, history, stop: writers.stop })
    } finally {
      await writers.stop()
    }
    const checked = await checkInstallation(installation, history)
    const violations = [...(found.violations ?? []), ...checked.violations]
    return { rounds, recovery: found.recovery ?? [], figures: found.figures ?? {}, ...checked, violations }
  } finally {
    await installation.close()
  }
}
