import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chapters } from './chapters.ts'
import { liveChecks } from './live/checks.ts'
import type { Proof } from './requirement.ts'
import { sourceChecks } from './source-checks.ts'

const root = join(import.meta.dirname, '../..')
const requirements = chapters.flatMap((chapter) => chapter.requirements)
const proofs = requirements.flatMap((requirement) => requirement.proofs.map((proof) => ({ id: requirement.id, proof })))
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

test('each deviation is explained where it says', () => {
  const deviations = proofs.filter(({ proof }) => proof.kind === 'deviation')
  expect(deviations.length).toBeGreaterThan(0)
  for (const { id, proof } of deviations)
    if (proof.kind === 'deviation') expect(read(proof.file), id).toContain(`(${id})`)
})

test('the report names each requirement (npm run verify:security)', () => {
  const report = read('docs/security-report.md')
  for (const { id, level, claim } of requirements) expect(report, id).toContain(`| ${id} | ${level} | ${claim} |`)
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
