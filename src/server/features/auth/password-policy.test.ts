import { expect, test } from 'vitest'
import { findPasswordProblem } from '#contract/password-policy.ts'
import { requirePassword } from './password-policy.ts'
import { generatePassword } from './passwords.ts'

test.each([
  'seven grey herons at noon',
  'ein wirklich schöner Satz',
  '   blanks count, too   ',
  'пароль из четырёх слов',
  '🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵',
  'zK4!vQ9#mT2$xW7',
  `${'x7 Kd'.repeat(3)} and so on ${'ö'.repeat(60)}`,
  'a'.repeat(3) + 'bcdefgh jklm nop rst vw',
])('a password of 15 to 128 characters of any kind is fine: %s', (password) => {
  expect(findPasswordProblem(password, 'ada')).toBeNull()
})

test('14 and 129 characters are refused, 15 and 128 are not', () => {
  const text = 'The quick brown fox jumps over the lazy dog; '.repeat(4)
  const verdicts = [14, 15, 128, 129].map((length) => findPasswordProblem(text.slice(0, length), 'ada'))
  expect(verdicts).toEqual(['must have 15 to 128 characters', null, null, 'must have 15 to 128 characters'])
})

test.each([
  'passwordpassword',
  'Password123456789',
  'p@ssw0rd-p@ssw0rd',
  'superadmin-2026!',
  'BackOffice2026!!',
  'AdminAdminAdmin1',
  'grace.hopper-1906',
  '123456789012345',
  'qwertyuiopasdfgh',
  'abcdefghijklmnopqrstuvwxyz',
  '987654321098765',
  'aaaaaaaaaaaaaaaa',
  'xyzxyzxyzxyzxyzx',
  'welcome1welcome1',
])('what everybody tries first is refused: %s', (password) => {
  expect(findPasswordProblem(password, 'grace.hopper')).toMatch(/too easy|repeat/)
})

test.each([
  ['Sommer2026Sommer2026', 'is too easy to guess: it is made of repetitions'],
  ['liverpool1liverpool1', 'is too easy to guess: it is made of repetitions'],
  ['thequickbrownfox', 'is too easy to guess: everybody knows this sentence'],
  ['correcthorsebatterystaple', 'is too easy to guess: everybody knows this sentence'],
  ['Correct-Horse-Battery-Staple!', 'is too easy to guess: everybody knows this sentence'],
  ['1qaz2wsx3edc4rfv', 'is too easy to guess: it is made of common passwords and words'],
  ['1q2w3e4r5t6y7u8i', 'is too easy to guess: it is made of common passwords and words'],
  ['zaq12wsxcde34rfv', 'is too easy to guess: it is made of common passwords and words'],
  ['shadowhuntergingerpepper', 'is too easy to guess: it is made of common passwords and words'],
  ['Liverpool-2026!!', 'is too easy to guess: it is made of common passwords and words'],
  ['manchesterunited', 'is too easy to guess: it is made of common passwords and words'],
  ['sw0rdf1shmarley11', 'is too easy to guess: it is made of common passwords and words'],
  ['a', 'must have 15 to 128 characters'],
])('a common password is refused, and the message says why: %s', async (password, problem) => {
  await expect(requirePassword(password, 'grace.hopper')).rejects.toThrow(`password: ${problem}`)
})

test.each(['zK4!vQ9#mT2$xW7', 'k7pmxw2qzt9rvb4', 'tulip anvil magnet orbit', 'Vier blaue Fahrräder'])(
  'a password that is not one of the common ones is taken: %s',
  async (password) => {
    await expect(requirePassword(password, 'grace.hopper')).resolves.toBeUndefined()
  },
)

test('what could never be typed in again is refused', () => {
  expect(findPasswordProblem('a fine long\0 sentence', 'ada')).toMatch(/NUL/)
  expect(findPasswordProblem('a fine long\ud800 sentence', 'ada')).toMatch(/broken/)
})

test('made-up passwords are long, different and pass', () => {
  const made = Array.from({ length: 200 }, generatePassword)
  expect(new Set(made).size).toBe(200)
  expect(made.filter((password) => findPasswordProblem(password, 'admin') !== null)).toEqual([])
})
