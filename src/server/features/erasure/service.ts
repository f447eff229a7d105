export { eraseMember } from './erase-member.ts'
