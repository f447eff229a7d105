import { expect, test } from 'vitest'
import { strictPolicy } from '#test/support/match-lookup.ts'
import { makeLines } from './lines.ts'
import { scoreLines } from './score.ts'
import { makeDataset } from './dataset.ts'

// The rules were tuned on none of them.
const scores = await Promise.all(
  [41, 42, 43].map(async (seed) => {
    const dataset = makeDataset(seed, 'demo')
    return scoreLines(dataset, await makeLines(dataset), strictPolicy).score
  }),
)
const sum = (name: keyof (typeof scores)[number]) => scores.reduce((total, score) => total + score[name], 0)

test('nothing is matched wrongly without a person, or against the policy (product 7.11)', () => {
  expect([sum('autoWrong'), sum('againstPolicy')]).toEqual([0, 0])
})

test('84 of 100 clean payments can be applied without a person (product 7.11)', () => {
  expect(sum('autoRightClean') / sum('cleanNamed')).toBeGreaterThanOrEqual(0.84)
})

test('of the others 97 of 100 have the right first candidate (product 7.11)', () => {
  expect(sum('first') / sum('left')).toBeGreaterThanOrEqual(0.97)
})
