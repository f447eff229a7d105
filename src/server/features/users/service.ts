export { findMemberTarget } from './approval-target.ts'
export {
  banMember,
  listMembersAgain,
  lockMember,
  type Member,
  requireFreshMember,
  saveMember,
  unbanMember,
} from './members.ts'
export { listUsers, buildUserList, userCounts } from './list.ts'
export { saveMembers } from './save.ts'
export { userColumns, memberRefColumns } from './columns.ts'
export { emptyMember, forgetPictures, lockForErasure } from './erase.ts'
