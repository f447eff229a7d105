export { findMemberTarget } from './approval-target.ts'
export {
  banMember,
  listMembersAgain,
  lockMember,
  type StoredMember,
  requireFreshMember,
  saveMember,
  unbanMember,
} from './ban.ts'
export { listMembers, buildMemberList, memberCounts, memberColumns, memberRefColumns } from './list.ts'
export { memberHoldings } from './detail.ts'
export { saveMembers } from './save.ts'
export { emptyMember, forgetPictures, lockForErasure } from './erase.ts'
