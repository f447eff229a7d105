import { expect, test } from 'vitest'
import { sumUpChecks, sumUpRequirements } from './summary.ts'

const passed = { title: 'no change is made by GET', status: 'passed' }
const left = { title: 'bodies of forms are refused', status: 'skipped', meta: { note: 'needs a session' } }
const ours = { title: 'the audit log is what was sealed', status: 'skipped', meta: { note: 'needs the database' } }
const failed = { title: 'a large body is refused', status: 'failed' }

test('what does not hold is named last and ends with 1', () => {
  const { lines, exitCode } = sumUpChecks([failed, passed, left])
  expect(lines).toEqual([
    'not checked, needs a session:',
    '  bodies of forms are refused',
    'does not hold: a large body is refused',
    '1 hold, 1 not checked, 1 does not hold',
  ])
  expect(exitCode).toBe(1)
})

test('a check that could be made and was not ends with 3', () => {
  expect(sumUpChecks([passed, left]).exitCode).toBe(3)
})

test('what only a console of the tests has is not missed', () => {
  expect(sumUpChecks([passed, ours]).exitCode).toBe(0)
})

test('a test that fails is seen where every requirement has its proof', () => {
  expect(sumUpRequirements(0, [0, 0]).exitCode).toBe(0)
  expect(sumUpRequirements(0, [1, 0])).toMatchObject({ exitCode: 1, line: expect.stringContaining('other tests') })
  expect(sumUpRequirements(0, [0, 1]).exitCode).toBe(1)
  expect(sumUpRequirements(2, [0, 0])).toEqual({ line: '2 requirements do not hold', exitCode: 1 })
})
