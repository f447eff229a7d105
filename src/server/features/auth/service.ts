export { isActive } from './account.ts'
export { countRefusedKey, refusedKeyLimit } from './throttle.ts'
export {
  createAdmin,
  endAllSessions,
  endEverySession,
  endSessionById,
  listAdmins,
  listSessions,
  setPassword,
  filterActiveSessions,
  createFirstAdmin,
  hasUsername,
} from './admins.ts'
export { createSignInLink, linkMinutes } from './sign-in-link.ts'
export { generatePassword, hashPassword } from './passwords.ts'
export { requirePassword, requireUsername } from './password-policy.ts'
export { refuseStranger } from './sign-in.ts'
export { resetFactors } from './factors/change-factor.ts'
export { findPendingSignIn, type PendingSignIn } from './factors/challenges.ts'
export { listStepUpMethods } from './factors/methods.ts'
export { secondFactorCookie, signInOverError } from './second-factor.ts'
export { isNewPlace, readPlace, reportNewPlace } from './session-places.ts'
export { endSessionsOf, isAlive, newToken, resumeSession, type Session, type SessionTime } from './sessions.ts'
export { deleteExpiredSignIns } from './delete-expired.ts'
