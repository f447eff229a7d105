import type { User, UsersQuery } from '#contract/users.ts'
import type { Ctx } from '#server/context.ts'
import { type ListDesign, type ListFilter, readPage, searchPage } from '#server/db/list.ts'
import { expressions } from '#server/db/select.ts'
import { userColumns } from './columns.ts'

export const userList: ListDesign = {
  name: 'users',
  table: 'members',
  at: 'created_at',
  select: expressions(userColumns, 't'),
  matches: 't.search LIKE search_pattern($1)',
}

// Leaves are `<kycStatus or none>/<active or banned>/<submitted or new>`.
const byKyc: Record<NonNullable<UsersQuery['kycStatus']>, ListFilter> = {
  completed: { rows: 't.kyc_completed', leaves: "leaf LIKE 'approved/%'" },
  pending: { rows: 'NOT t.kyc_completed', leaves: "leaf NOT LIKE 'approved/%'" },
}
const byBan: Record<NonNullable<UsersQuery['kycBanned']>, ListFilter> = {
  true: { rows: 't.banned', leaves: "leaf LIKE '%/banned/%'" },
  false: { rows: 'NOT t.banned', leaves: "leaf LIKE '%/active/%'" },
}

type Wanted = Pick<UsersQuery, 'page' | 'limit'> & Partial<UsersQuery>
interface UsersPage {
  users: User[]
  total: number
  totalExact: boolean
  page: number
  limit: number
}

/** Members, newest first (SPEC Users list, PRODUCT 3.8 and 3.9). Blanks around the typed text don't count. */
export async function listUsers({ database }: Ctx, query: Wanted): Promise<UsersPage> {
  const { page, limit, kycStatus, kycBanned } = query
  const filters = [...(kycStatus ? [byKyc[kycStatus]] : []), ...(kycBanned ? [byBan[kycBanned]] : [])]
  const typed = query.search?.trim()
  if (!typed) {
    const { rows: users, total } = await readPage<User>(database.pool, userList, { page, limit, filters })
    return { users, total, totalExact: true, page, limit }
  }
  const wanted = { page, limit, filters, typed, isTotalWanted: query.total === 'exact' }
  const { rows: users, total, totalExact } = await searchPage<User>(database.pool, userList, wanted)
  return { users, total, totalExact, page, limit }
}
