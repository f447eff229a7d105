import { expect, test } from 'vitest'
import { startServer } from '#test/support/server.ts'
import { liveChecks } from './live/checks.ts'
import type { Target } from './live/target.ts'
import { openTarget } from './own-target.ts'

/** A console that runs elsewhere, whose operator has no second factor; else one of our own. */
function readTarget(): Target | null {
  const { VERIFY_URL: url, VERIFY_USERNAME: username, VERIFY_PASSWORD: password } = process.env
  if (!url) return null
  if (!username || !password) throw new Error('VERIFY_URL needs VERIFY_USERNAME and VERIFY_PASSWORD')
  return { url: new URL(url), username, password }
}

const target = readTarget() ?? (await openTarget(await startServer()))

for (const { name, needs, run } of liveChecks)
  test.skipIf(needs !== undefined && target[needs] === undefined)(name, async () => {
    await expect(run(target)).resolves.toBeUndefined()
  })
