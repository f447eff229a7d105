/** What holds here, with what proves it. */
export interface Claim {
  id: string
  /** In our own words. */
  claim: string
  proofs: Proof[]
}

/** A requirement of OWASP ASVS 5.0.0 that applies to this console. Its id is chapter, section and number: `3.4.1`. */
export interface Requirement extends Claim {
  level: 1 | 2 | 3
}

export type Proof =
  /** Checks of a running console (`live/`), by name. */
  | { kind: 'live'; checks: string[] }
  /** Tests of this repository: a file, and parts of its tests' names. */
  | { kind: 'tests'; file: string; names: string[] }
  /** A check of the sources (`source-checks.ts`), by name. */
  | { kind: 'source'; check: string }
  /** No machine can tell: who reads the file sees it. */
  | { kind: 'review'; file: string; reason: string }
  /** It does not hold, on purpose. */
  | { kind: 'deviation'; file: string; reason: string }

export interface Chapter {
  number: number
  title: string
  requirements: Requirement[]
  /** Requirements of level 1 and 2 that have no object here, with the reason. */
  notApplicable?: { ids: string[]; reason: string }[]
}

/** A requirement that machines prove. */
export const proven = (id: string, level: 1 | 2 | 3, claim: string, ...proofs: Proof[]): Requirement => ({
  id,
  level,
  claim,
  proofs,
})

export const live = (...checks: string[]): Proof => ({ kind: 'live', checks })
/** `file` is a path from the root of the repository. */
export const tests = (file: string, ...names: string[]): Proof => ({ kind: 'tests', file, names })
export const source = (check: string): Proof => ({ kind: 'source', check })
export const review = (file: string, reason: string): Proof => ({ kind: 'review', file, reason })
export const deviation = (file: string, reason: string): Proof => ({ kind: 'deviation', file, reason })

/** Whether machines alone tell that it holds. */
export const isAutomated = ({ proofs }: Claim): boolean =>
  proofs.some(({ kind }) => kind === 'live' || kind === 'tests' || kind === 'source')

export const isDeviation = ({ proofs }: Claim): boolean => proofs.some(({ kind }) => kind === 'deviation')
