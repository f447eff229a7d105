import type { APIRequestContext, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import type { ConsoleServer } from './console-server.ts'
import { admin, expect } from './harness.ts'
import { newWord } from './members.ts'

/** An operator of a test's own, with the password of all tests. */
export async function createOperator(server: ConsoleServer): Promise<string> {
  const username = `mary-${newWord()}`
  await server.sql(
    `INSERT INTO admins (username, password_hash, role, last_sign_in_at)
     SELECT $1, password_hash, role, now() FROM admins WHERE username = $2`,
    [username, admin.username],
  )
  return username
}

/**
 * The code that an authenticator app with this key shows, `ahead` periods of 30 seconds from now. The console also takes
 * the one before, so it counts for 30 seconds at least. After it only one of a later period counts.
 */
export const showCode = (secret: string, ahead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 })

/** Signs an operator in by calls and adds an authenticator app. Returns its key and the recovery codes. */
export async function addApp(request: APIRequestContext, server: ConsoleServer, username: string) {
  const post = async (path: string, data: object) => {
    const reply = await request.post(`${server.url}/api/${path}`, { data })
    expect(reply.ok(), await reply.text()).toBe(true)
    return reply.json()
  }
  await post('auth/login', { username, password: admin.password })
  const { setup, secret } = await post('account/factors/totp/options', {})
  const { recoveryCodes } = await post('account/factors/totp', { name: 'Phone', setup, code: showCode(secret) })
  await request.post(`${server.url}/api/auth/logout`)
  return { secret: secret as string, recoveryCodes: recoveryCodes as string[] }
}

export async function givePassword(page: Page, username: string) {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(admin.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/** A fingerprint reader that always recognises the operator. */
export async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  return {
    setVerified: (isUserVerified: boolean) =>
      client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Keeps the recovery codes that are shown with the first factor. */
export async function keepCodes(page: Page): Promise<string[]> {
  const codes = dialog(page, 'Keep your recovery codes')
  await expect(codes.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  await page.keyboard.press('Escape')
  const texts = await codes.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
  await codes.getByRole('button', { name: 'I Have Kept Them' }).click()
  await expect(codes).toHaveCount(0)
  return texts
}

export async function addPasskey(page: Page, name: string) {
  await page.getByRole('button', { name: 'Add Passkey' }).click()
  await expect(dialog(page, 'Add a passkey').getByLabel('Name')).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
}
