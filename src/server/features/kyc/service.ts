/** What other features may ask of KYC. */
export { applyDecision, decideMemberKyc, latestSubmittedAttempt } from './decide.ts'
export { askStep2, askStep3, askStep4, askSubmissions, askVerifications } from './lists.ts'
