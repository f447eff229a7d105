import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { findPasswordProblem } from '#contract/password-policy.ts'
import { invalidField } from '#server/lib/errors.ts'

/** A password that is guessed sooner, by what people mostly choose, is common. */
const minGuesses = 1e13
/** Longer ones are judged by their beginning, since the time grows faster than the length. */
const judgedLength = 64

/** What the parts of a common password are, by the estimator's names. */
const partNames: Record<string, string> = {
  dictionary: 'common passwords and words',
  wordSequence: 'common passwords and words',
  spatial: 'rows of keys',
  repeat: 'repetitions',
  sequence: 'sequences',
  date: 'dates',
  regex: 'years',
}
const listFormat = new Intl.ListFormat('en-GB')

let loading: Promise<ZxcvbnFactory> | undefined

/** Some 6 MB with its 49,000 passwords, so it is loaded when the first password is set. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')])
  const { dictionary, adjacencyGraphs: graphs } = common
  return new core.ZxcvbnFactory({ dictionary, graphs, maxLength: judgedLength })
}

/** What a password is made of that is guessed too soon, or null. */
async function findCommonParts(password: string, username: string): Promise<string | null> {
  loading ??= loadEstimator()
  const { guesses, sequence } = (await loading).check(password, [username])
  if (guesses >= minGuesses) return null
  return listFormat.format(new Set(sequence.flatMap(({ pattern }) => partNames[pattern] ?? [])))
}

/** Refuses a new password that breaks the policy or is a common one, under the name of its field. */
export async function requirePassword(password: string, username: string, field = 'password'): Promise<void> {
  const problem = findPasswordProblem(password, username)
  if (problem) throw invalidField(field, problem)
  const parts = await findCommonParts(password, username)
  if (parts !== null) throw invalidField(field, `is too easy to guess: it is made of ${parts || 'few characters'}`)
}
