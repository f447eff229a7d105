import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chapters } from './chapters.ts'
import { liveChecks } from './live/checks.ts'
import { isDeviation, type Proof } from './requirement.ts'
import { sourceChecks } from './source-checks.ts'
import { threats } from './threats.ts'

const root = join(import.meta.dirname, '../..')
const requirements = chapters.flatMap((chapter) => chapter.requirements)
const proofs = [...requirements, ...threats].flatMap(({ id, proofs: all }) => all.map((proof) => ({ id, proof })))
const read = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : null)

/** What of a proof is not there. */
function findMissing(proof: Proof): string[] {
  if (proof.kind === 'live') return proof.checks.filter((name) => !liveChecks.some((check) => check.name === name))
  if (proof.kind === 'source') return proof.check in sourceChecks ? [] : [proof.check]
  const text = read(proof.file)
  if (text === null) return [proof.file]
  return proof.kind === 'tests' ? proof.names.filter((name) => !text.includes(name)) : []
}

test('each requirement stands once, with a proof', () => {
  const ids = requirements.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
  expect(requirements.filter((requirement) => requirement.proofs.length === 0)).toEqual([])
})

test('each proof names checks, tests and files that exist', () => {
  expect(proofs.flatMap(({ id, proof }) => findMissing(proof).map((missing) => `${id}: ${missing}`))).toEqual([])
})

test('each of the 24 threats stands once, with a proof', () => {
  expect(threats.map(({ id }) => id)).toEqual(Array.from({ length: 24 }, (_, at) => `T${at + 1}`))
  expect(threats.filter((threat) => threat.proofs.length === 0)).toEqual([])
})

test('at most five requirements of levels 1 and 2 do not hold on purpose', () => {
  const deviations = requirements.filter((each) => each.level < 3 && isDeviation(each))
  expect(deviations.length).toBeLessThanOrEqual(5)
})

test('each deviation is explained where it says', () => {
  const deviations = requirements.flatMap(({ id, proofs: all }) =>
    all.flatMap((proof) => (proof.kind === 'deviation' ? [{ id, proof }] : [])),
  )
  expect(deviations.length).toBeGreaterThan(0)
  for (const { id, proof } of deviations) expect(read(proof.file), id).toContain(`(${id})`)
})

test('the report names each requirement (npm run verify:security)', () => {
  const report = read('docs/security-report.md')
  for (const { id, level, claim } of requirements) expect(report, id).toContain(`| ${id} | ${level} | ${claim} |`)
  for (const { id, claim } of threats) expect(report, id).toContain(`| ${id} | ${claim} |`)
})

test('each check proves a requirement', () => {
  const used = new Set(
    proofs.flatMap(({ proof }) =>
      proof.kind === 'live' ? proof.checks : proof.kind === 'source' ? [proof.check] : [],
    ),
  )
  const names = [...liveChecks.map(({ name }) => name), ...Object.keys(sourceChecks)]
  expect(names.filter((name) => !used.has(name))).toEqual([])
})

test.each(Object.entries(sourceChecks))('%s', (_name, check) => check())
