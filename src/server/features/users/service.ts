export { banMember, listMembersAgain, lockMember, type Member, requireFreshMember, saveMember } from './members.ts'
export { listUsers, buildUserList, userCounts } from './list.ts'
export { saveMembers } from './save.ts'
export { userColumns, memberRefColumns } from './columns.ts'
