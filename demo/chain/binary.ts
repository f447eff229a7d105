import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Packages of the chain's program. Only this one is available (docs/decisions). */
const packages: Record<string, string> = { 'linux-x64': '@foundry-rs/anvil-linux-amd64' }

/** The local chain's program. Undefined if its package is not installed or cannot run on this system. */
export function findChainBinary(): string | undefined {
  const name = packages[`${process.platform}-${process.arch}`]
  if (!name) return undefined
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const binary = join(folder, 'bin', 'anvil')
    // A system with another libc, or an older one, has the file but cannot run it.
    return spawnSync(binary, ['--version'], { stdio: 'ignore', timeout: 5000 }).status === 0 ? binary : undefined
  } catch {
    return undefined
  }
}
