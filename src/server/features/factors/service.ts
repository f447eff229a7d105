export {
  deleteExpiredChallenges,
  dropChallenges,
  findPendingSignIn,
  openChallenge,
  useChallenge,
  type PendingSignIn,
} from './challenges.ts'
export { resetFactors } from './change-factor.ts'
export { hasFactor, listFactorMethods, listStepUpMethods, offerPasskey, type OfferedMethods } from './methods.ts'
export { useFactor, type FactorProof } from './use-factor.ts'
