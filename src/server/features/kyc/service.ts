/** What other features may ask of KYC. */
export { decideMemberKyc } from './decide.ts'
