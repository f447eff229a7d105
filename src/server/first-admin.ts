import { randomBytes } from 'node:crypto'
import { contextFor, type Services } from './context.ts'
import { admins } from './db/tables/auth.ts'
import { createAdmin } from './features/auth/service.ts'

/** Makes the first admin when there is none (PRODUCT 3.23); answers how to sign in, with a generated password once. */
export async function makeFirstAdmin(services: Services): Promise<string> {
  const [someone] = await services.database.db.select({ id: admins.id }).from(admins).limit(1)
  if (someone) return 'Sign in with your username and password; a lost one: npm run admin -- set-password <username>'
  const { username, password } = services.config.firstAdmin
  const chosen = password ?? randomBytes(15).toString('base64url')
  await createAdmin(contextFor(services, { kind: 'system', name: 'first start' }), username, chosen)
  return password
    ? `Sign in as ${username} with the password of ADMIN_PASSWORD`
    : `Sign in as ${username} with the password ${chosen} (shown this once)`
}
