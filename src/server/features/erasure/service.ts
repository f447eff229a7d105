export { type Erasure, eraseMember } from './erase-member.ts'
