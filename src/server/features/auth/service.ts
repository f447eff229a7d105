export { hasJoined, isActive } from './account.ts'
export { countProviderSignIn, countRefusedKey, refusedKeyLimit } from './throttle.ts'
export {
  createAdmin,
  endAllSessions,
  endEverySession,
  endSessionById,
  listAdmins,
  listSessions,
  lockAdmin,
  lockAdminById,
  setBreakGlass,
  setPassword,
  filterActiveSessions,
  createFirstAdmin,
  hasUsername,
} from './admins.ts'
export { completeSignIn, type SignInResult, type SignInSource } from './complete-sign-in.ts'
export { createSignInLink, linkMinutes } from './sign-in-link.ts'
export { generatePassword, hashPassword } from './passwords.ts'
export { requirePassword } from './password-policy.ts'
export { refuseStranger } from './sign-in.ts'
export { dropFactors } from './factors/change-factor.ts'
export { findPendingSignIn, type PendingSignIn } from './factors/challenges.ts'
export { hasFactor, listStepUpMethods } from './factors/methods.ts'
export {
  beginSecondFactor,
  secondFactorCookie,
  secondFactorSeconds,
  signInOverError,
  type SecondFactorStep,
} from './second-factor.ts'
export { findNewPlace, reportNewPlace } from './session-places.ts'
export { readSource, setSessionCookie, setSessionEnd, startSession } from './session-cookies.ts'
export {
  deleteExpiredSessions,
  endSessionsOf,
  isAlive,
  lockSession,
  newToken,
  resumeSession,
  type Session,
  type SessionAdmin,
} from './sessions.ts'
export { stepUpByProvider } from './step-up.ts'
export { listStepUpRules, setStepUpRule } from './step-up-rules.ts'
export { requireDistinctUsername, requireUsername } from './usernames.ts'
export { endingKept } from './endings.ts'
