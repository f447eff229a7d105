import { SettingError } from '#server/core/config.ts'
import { contextFor, type Services } from '#server/core/context.ts'
import { holdsDemoData } from '#server/core/stored-settings.ts'
import { admins } from '#server/db/tables/auth.ts'
import { AppError } from '#server/lib/errors.ts'
import { generatePassword, createFirstAdmin } from '#server/features/auth/service.ts'

const existingAdminText =
  'Sign in with your username and password; a lost one: npm run admin -- set-password <username>'

/**
 * Creates the first admin if there is none (product 2.4). Returns how to sign in, with a generated password once.
 * Throws SettingError for a username or password that the policy refuses.
 */
export async function createAdminIfNone(services: Services): Promise<string> {
  const [someone] = await services.database.db.select({ id: admins.id }).from(admins).limit(1)
  if (someone) return existingAdminText
  const { username, password } = services.config.firstAdmin
  const chosen = password ?? generatePassword()
  const ctx = contextFor(services, { kind: 'system', name: 'first start' })
  // It stands in a terminal, a log or a setting. A demo has nothing that it could open (108).
  const mustChangePassword = !(await holdsDemoData(services.database))
  const first = { username, password: chosen, mustChangePassword }
  const admin = await createFirstAdmin(ctx, first).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid')
      throw new SettingError(
        error.message.replace(/^(username|password):/, (_colon, field: string) => `ADMIN_${field.toUpperCase()}`),
      )
    throw error
  })
  if (!admin) return existingAdminText
  return password
    ? `Sign in as ${username} with the password of ADMIN_PASSWORD`
    : `Sign in as ${username} with the password ${chosen} (shown this once)`
}
