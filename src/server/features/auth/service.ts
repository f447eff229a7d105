export { countRefusedKey, refusedKeyLimit } from './throttle.ts'
export {
  createAdmin,
  endAllSessions,
  endSessionById,
  listAdmins,
  listSessions,
  setPassword,
  filterActiveSessions,
  createFirstAdmin,
} from './admins.ts'
export { createSignInLink, linkMinutes } from './sign-in-link.ts'
export { generatePassword } from './passwords.ts'
export { refuseStranger } from './sign-in.ts'
export { resumeSession, type SessionTime } from './sessions.ts'
export { deleteExpiredSignIns } from './delete-expired.ts'
