import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SettingError } from '#server/core/config.ts'
import type { Services } from '#server/core/context.ts'
import { holdsDemoData } from '#server/core/stored-settings.ts'

/** Demo data, sandbox provider and local chain: `demo` of `demo/start.ts`. */
export interface Demo {
  /** Fills a fresh database with demo data, if settings want it. Throws StartError. */
  fill(services: Services): Promise<void>
  /** Gives the services the sandbox provider and the local chain that settings and database ask for. */
  open(services: Services, say: (line: string) => void): Promise<OpenDemo>
}

interface OpenDemo {
  /** Call it when the console listens at this address. */
  start(address: string): void
  stop(): Promise<unknown>
}

// A variable: the compiler does not follow it, so that the server needs nothing of that folder (docs/decisions/112).
const entry = '#demo/start.ts'

/**
 * Loads demo data, sandbox provider and local chain where settings or database ask for one of them. Throws SettingError
 * where this installation lacks them.
 */
export async function loadDemo(services: Services): Promise<Demo | undefined> {
  const asking = await findAsking(services)
  if (!asking) return undefined
  if (!existsSync(fileURLToPath(import.meta.resolve(entry))))
    throw new SettingError(`the folder demo is missing from this installation, but ${asking}`)
  return ((await import(entry)) as { demo: Demo }).demo
}

async function findAsking({ config, database }: Services): Promise<string | undefined> {
  if (await holdsDemoData(database)) return 'this database holds demo data. Start with DEMO=off and an empty database'
  if (config.isDemoWanted) return 'demo data is wanted. Set DEMO=off'
  if (config.chainMode === 'embedded') return 'CHAIN_MODE is embedded. Set it to rpc or off'
  return undefined
}
