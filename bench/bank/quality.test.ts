import { expect, test } from 'vitest'
import { strictPolicy } from '#test/support/match-world.ts'
import { makeLines } from './lines.ts'
import { scoreLines } from './score.ts'
import { makeWorld } from './world.ts'

const world = makeWorld(7, 'demo')
const { score } = scoreLines(world, await makeLines(world), strictPolicy)

test('nothing is matched wrongly without a person, or against the policy (product 7.11)', () => {
  expect(score).toMatchObject({ autoWrong: 0, againstPolicy: 0 })
})

test('four of five clean payments can be applied without a person (product 7.11)', () => {
  expect(score.autoRightClean / score.clean).toBeGreaterThanOrEqual(0.8)
})

test('of the others 98 of 100 have the right first candidate (product 7.11)', () => {
  expect(score.first / score.left).toBeGreaterThanOrEqual(0.98)
})
