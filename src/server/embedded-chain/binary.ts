import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Packages of the chain's program; only this one can be had (docs/decisions). */
const packages: Record<string, string> = { 'linux-x64': '@foundry-rs/anvil-linux-amd64' }

/** The local chain's program; undefined where its package is not installed, as on another system. */
export function findChainBinary(): string | undefined {
  const name = packages[`${process.platform}-${process.arch}`]
  if (!name) return undefined
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const binary = join(folder, 'bin', 'anvil')
    return existsSync(binary) ? binary : undefined
  } catch {
    return undefined
  }
}
