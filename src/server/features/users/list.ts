import type { User, UsersQuery } from '#contract/users.ts'
import type { Ctx } from '#server/context.ts'
import { type ListAsked, type ListDesign, type ListFilter, readList } from '#server/db/list.ts'
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

export const askUsers = ({ search, kycStatus, kycBanned }: Partial<UsersQuery>): ListAsked => ({
  list: userList,
  filters: [...(kycStatus ? [byKyc[kycStatus]] : []), ...(kycBanned ? [byBan[kycBanned]] : [])],
  typed: search,
})

/** Members, newest first (SPEC Users list, PRODUCT 3.8 and 3.9). */
export async function listUsers({ database }: Ctx, query: Wanted) {
  const { rows: users, ...rest } = await readList<User>(database.pool, askUsers(query), query)
  return { users, ...rest }
}
