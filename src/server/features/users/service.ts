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
export { listUsers, buildUserList, userCounts, userColumns, memberRefColumns } from './list.ts'
export { saveMembers } from './save.ts'
export { emptyMember, forgetPictures, lockForErasure } from './erase.ts'
