import { getTableColumns } from 'drizzle-orm'
import { orders } from '#server/db/tables/orders.ts'
import { members } from '#server/db/tables/users.ts'
import { omit } from '#server/lib/omit.ts'

/** The fields of an order (product 6.5): all columns except those that only the database uses. */
export const orderColumns = {
  ...omit(getTableColumns(orders), ['memberId', 'changedIn', 'memberSearch', 'search']),
  userId: orders.memberId,
}

/** The member's current data. */
export const orderUserColumns = {
  userFirstName: members.legalFirstName,
  userLastName: members.legalLastName,
  userEmail: members.email,
  userMembershipId: members.membershipId,
  userBanned: members.banned,
  userBannedReason: members.bannedReason,
}
