export { countRefusedKey, refusedKeyLimit } from './throttle.ts'
export {
  createAdmin,
  endAllSessions,
  endSessionById,
  listAdmins,
  listSessions,
  lockAdmin,
  lockAdminById,
  setPassword,
  filterActiveSessions,
  createFirstAdmin,
} from './admins.ts'
export { createSignInLink, linkMinutes } from './sign-in-link.ts'
export { generatePassword } from './passwords.ts'
export { refuseStranger } from './sign-in.ts'
export { secondFactorCookie, signInOverError } from './second-factor.ts'
export { endSessionsOf, newToken, resumeSession, type Session, type SessionTime } from './sessions.ts'
export { deleteExpiredSignIns } from './delete-expired.ts'
