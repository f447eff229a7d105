import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig, SettingError } from './config.ts'

test('a setting may stand in a file, without the line break at its end (product 13.2)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'back-office-settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const key = 'k'.repeat(40)
  expect(readConfig({ PLATFORM_API_KEY_FILE: write('key', `${key}\n`) }).platformApiKey).toBe(key)
  const padded = ' two blanks are part of this '
  expect(readConfig({ ADMIN_PASSWORD_FILE: write('password', `${padded}\r\n`) }).firstAdmin.password).toBe(padded)
  const refusal = (environment: Record<string, string>) => {
    try {
      return readConfig(environment)
    } catch (error) {
      return error instanceof SettingError && error.message
    }
  }
  const both = { PLATFORM_API_KEY: key, PLATFORM_API_KEY_FILE: join(folder, 'key') }
  expect(refusal(both)).toBe('PLATFORM_API_KEY and PLATFORM_API_KEY_FILE are both set: set one of them')
  expect(refusal({ TOTP_KEY_FILE: join(folder, 'none') })).toBe(
    `TOTP_KEY_FILE names ${join(folder, 'none')}, which can't be read: ENOENT`,
  )
  expect(refusal({ TOTP_KEY_FILE: folder })).toBe(`TOTP_KEY_FILE names ${folder}, which can't be read: EISDIR`)
  expect(refusal({ TOTP_KEY_FILE: write('empty', '\n') })).toBe(
    `TOTP_KEY_FILE names ${join(folder, 'empty')}, which is empty`,
  )
  expect(refusal({ TOTP_KEY_FILE: write('short', 'x') })).toMatch(/^TOTP_KEY must be 32 random bytes/)
})
