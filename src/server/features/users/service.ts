export { banMember, lockMember, type Member, requireFreshMember, saveMember } from './members.ts'
export { listUsers, askUsers, userCounts } from './list.ts'
export { saveMembers } from './save.ts'
export { userColumns, memberRefColumns } from './columns.ts'
