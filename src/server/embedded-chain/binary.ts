import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Packages of the chain's program; only this one can be had (docs/decisions). */
const packages: Record<string, string> = { 'linux-x64': '@foundry-rs/anvil-linux-amd64' }

/** The local chain's program; undefined where its package is not installed or can't be run, as on another system. */
export function findChainBinary(): string | undefined {
  const name = packages[`${process.platform}-${process.arch}`]
  if (!name) return undefined
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const binary = join(folder, 'bin', 'anvil')
    // A system with another libc, or an older one, has the file and can't run it.
    return spawnSync(binary, ['--version'], { stdio: 'ignore', timeout: 5000 }).status === 0 ? binary : undefined
  } catch {
    return undefined
  }
}
