import { expect, test } from 'vitest'
import { createAdmin } from '#server/features/auth/admins.ts'
import { createAdminCommand } from './support/admin-command.ts'
import { addApp, newName, openBrowser, signInNew } from './support/factor-browser.ts'
import { startServer } from './support/server.ts'

const server = await startServer()
const command = await createAdminCommand(server)
const readPassword = (out: string) => /^Password: (\S+)$/m.exec(out)![1]!

/** An operator whose laptop has a session and knows the account, with an authenticator app. */
async function makeOwner() {
  const username = newName()
  const laptop = await signInNew(server, username)
  await addApp(laptop)
  return { username, laptop }
}

// The order of docs/operating.md.
test('a stolen laptop opens nothing more, and its owner comes back on another device', async () => {
  const { username, laptop } = await makeOwner()
  await createAdmin(server.system, newName(), 'another password of a super admin', 'super_admin')
  expect(await command(['disable', username])).toMatchObject({
    code: 0,
    out: `${username} is disabled and signed out everywhere.\n`,
  })
  expect((await laptop.whoAmI()).statusCode).toBe(401)
  expect((await laptop.signIn(username)).statusCode).toBe(401)

  const { out } = await command(['set-password', username, '--generate'])
  expect(out).toMatch(
    new RegExp(
      `^The password of ${username} is set; 0 sessions ended\\.\\nPassword: \\S+\\nIt is shown this once\\.\\nIf sign-in stays closed`,
    ),
  )
  expect((await command(['reset-factors', username])).out).toBe(
    `1 second factor of ${username} removed; 0 sessions ended. The password alone signs in now.\n`,
  )
  const device = openBrowser(server, { from: '198.51.100.4' })
  expect((await device.signIn(username, readPassword(out))).statusCode).toBe(401)
  expect((await command(['enable', username])).out).toBe(`${username} can sign in again.\n`)
  expect((await device.signIn(username, readPassword(out))).json()).toHaveProperty('admin')
  expect((await laptop.signIn(username)).statusCode).toBe(401)
  expect((await laptop.whoAmI()).statusCode).toBe(401)
})

test('the last super admin takes away what the laptop has instead', async () => {
  const { username, laptop } = await makeOwner()
  await server.sql('UPDATE admins SET disabled_at = now() WHERE username <> $1', [username])
  const refused = await command(['disable', username])
  expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('This is the last active super admin') })
  const { out } = await command(['set-password', username, '--generate'])
  expect(out).toContain(`The password of ${username} is set; 1 session ended.`)
  expect((await laptop.whoAmI()).statusCode).toBe(401)
  expect((await command(['reset-factors', username])).out).toContain('1 second factor')
  expect((await openBrowser(server).signIn(username, readPassword(out))).json()).toHaveProperty('admin')
})
