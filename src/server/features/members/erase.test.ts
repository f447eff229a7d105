import { getTableColumns } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members } from '#server/db/tables/members.ts'
import { makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { emptyMember, lockForErasure } from './erase.ts'

const server = await startServer()

/** What stays of an erased member: nothing in it tells who the person was. */
const kept = new Set(
  'id membershipId kycStatus kycCompleted kycCurrentStep kycSubmissionCount kycSubmittedAt kycRejectedFinally '
    .concat('kycDecidedAttempt kycDecidedBy kycDecidedAt banned bannedBy bannedAt banChangedBy banChangedAt ')
    .concat('erasedAt createdAt version changedIn')
    .split(' '),
)

test('an erasure replaces every column that is not kept on purpose', async () => {
  const names = Object.keys(getTableColumns(members)) as (keyof typeof members.$inferSelect)[]
  const personal = names.filter((name) => !kept.has(name) && name !== 'search')
  const text = Object.fromEntries(personal.map((name) => [name, `given ${name}`]))
  const { id } = await makeMember(server, { ...text, banned: true, kycStatus: 'rejected' })
  const { db } = server.services.database
  await db.transaction(async (tx) => emptyMember(tx, await lockForErasure(tx, id)))
  const [erased] = await db.select().from(members)
  expect(personal.filter((name) => erased![name] === text[name])).toEqual([])
  expect(erased!.search).not.toContain('given')
})
