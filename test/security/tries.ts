import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from './live/target.ts'

const folder = join(import.meta.dirname, '../../.cache')
const file = join(folder, 'verify-tries.json')

const readTries = (): Record<string, string> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}

/** Keeps on this machine when the default accounts of a console were last tried. */
export function keepTries(url: string): NonNullable<Target['defaultAccounts']> {
  const { origin } = new URL(url)
  return {
    readLast: () => {
      const last = readTries()[origin]
      return last ? new Date(last) : null
    },
    keep: (at) => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, JSON.stringify({ ...readTries(), [origin]: at.toISOString() }))
    },
  }
}
