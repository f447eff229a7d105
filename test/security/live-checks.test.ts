import { type TestContext, test } from 'vitest'
import { startServer } from '#test/support/server.ts'
import { liveChecks } from './live/checks.ts'
import { findLacks } from './live/lacks.ts'
import { NotChecked, type Target } from './live/target.ts'
import { openTarget } from './own-target.ts'
import { keepTries } from './tries.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Why a check was not made, or why it holds where that is not plain. */
    note?: string
  }
}

/** A console that runs elsewhere; else one of our own. */
function readTarget(): Target | null {
  const { VERIFY_URL: url, VERIFY_USERNAME: username, VERIFY_PASSWORD: password } = process.env
  if (!url) return null
  if (!username || !password) throw new Error('VERIFY_URL needs VERIFY_USERNAME and VERIFY_PASSWORD')
  const totpSecret = process.env.VERIFY_TOTP_SECRET
  return { url: new URL(url), username, password, defaultAccounts: keepTries(url), ...(totpSecret && { totpSecret }) }
}

const elsewhere = readTarget()
const target = elsewhere ?? (await openTarget(await startServer()))
const lacks = await findLacks(target)
if (!elsewhere && Object.keys(lacks).length > 0) throw new Error(Object.values(lacks).join('; '))
for (const [need, lack] of Object.entries(lacks)) {
  const count = liveChecks.filter((check) => check.needs === need).length
  console.info(`${count} ${count === 1 ? 'check is' : 'checks are'} not made: needs ${lack}`)
}

function skip({ task, skip: leaveOut }: TestContext, note: string): never {
  task.meta.note = note
  return leaveOut(note)
}

// A check of somebody else's console is made once, so that nothing that it tries counts twice there.
for (const { name, needs, run } of liveChecks)
  test(name, elsewhere ? { retry: 0 } : {}, async (context) => {
    const lack = needs && lacks[needs]
    if (lack) skip(context, `needs ${lack}`)
    const note = await run(target).catch((error: unknown) => {
      if (elsewhere && error instanceof NotChecked) return skip(context, error.message)
      throw error
    })
    if (note) context.task.meta.note = note
  })
