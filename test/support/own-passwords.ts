import type { Services } from '#server/core/context.ts'
import { admins } from '#server/db/tables/auth.ts'

/** Leaves every admin as one who has replaced the password that somebody else set. Doing so would hash for long. */
export const keepPasswords = ({ database }: Pick<Services, 'database'>) =>
  database.db.update(admins).set({ mustChangePassword: false })
