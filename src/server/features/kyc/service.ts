/** What other features may ask of KYC. */
export { applyDecision, decideMemberKyc, latestSubmittedAttempt, noteProviderWord } from './decide.ts'
export { readDecision } from './decision.ts'
export { askStep2, askStep3, askStep4, askSubmissions, askVerifications } from './lists.ts'
