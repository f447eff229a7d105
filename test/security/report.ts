import { type Chapter, type Claim, isAutomated, isDeviation, type Proof, type Requirement } from './requirement.ts'

export interface TestResult {
  /** A path from the root. */
  file: string
  title: string
  ok: boolean
}

/** `reason`: why it does not hold; null where it does. */
type Verdict<T extends Claim = Claim> = T & { reason: string | null }

export const listRequirements = (chapters: Chapter[]): Requirement[] =>
  chapters.flatMap(({ requirements }) => requirements)

/** Live and source checks are tests of these files, by their own names. */
const files = { live: 'test/security/live-checks.test.ts', source: 'test/security/requirements.test.ts' }

/** The tests that a proof names: file, and a part of the name, or all of it. */
function listNamed(proof: Proof): { file: string; name: string; isWhole: boolean }[] {
  if (proof.kind === 'live') return proof.checks.map((name) => ({ file: files.live, name, isWhole: true }))
  if (proof.kind === 'source') return [{ file: files.source, name: proof.check, isWhole: true }]
  if (proof.kind === 'tests') return proof.names.map((name) => ({ file: proof.file, name, isWhole: false }))
  return []
}

/** The first test that failed or never ran. A name may be that of many tests, one for each value. */
function findReason({ proofs }: Claim, results: TestResult[]): string | null {
  for (const { file, name, isWhole } of proofs.flatMap(listNamed)) {
    const found = results.filter(
      (each) => each.file === file && (isWhole ? each.title === name : each.title.includes(name)),
    )
    if (found.length === 0) return `${file} has run no “${name}”`
    const failed = found.find(({ ok }) => !ok)
    if (failed) return `${file} “${failed.title}” failed`
  }
  return null
}

const formatRow = (cells: (string | number)[]) =>
  `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
const formatTable = (heads: string[], rows: (string | number)[][]) =>
  [heads, heads.map(() => '---'), ...rows].map(formatRow).join('\n')

const describeProof = (proof: Proof): string => {
  if (proof.kind === 'live') return proof.checks.map((name) => `live: ${name}`).join('; ')
  if (proof.kind === 'source') return `sources: ${proof.check}`
  if (proof.kind === 'tests') return `\`${proof.file}\`: ${proof.names.map((name) => `“${name}”`).join(', ')}`
  return `\`${proof.file}\`: ${proof.reason}`
}

const describeVerdict = (verdict: Verdict): string => {
  if (verdict.reason !== null) return '**no**'
  if (isDeviation(verdict)) return 'on purpose not'
  return isAutomated(verdict) ? 'yes' : 'read'
}

function sumUp(verdicts: readonly Verdict[]): (string | number)[] {
  const automated = verdicts.filter(isAutomated)
  const deviations = verdicts.filter(isDeviation)
  const failed = verdicts.filter(({ reason }) => reason !== null)
  return [
    verdicts.length,
    automated.length,
    verdicts.length - deviations.length - failed.length,
    deviations.length,
    failed.length,
  ]
}
const heads = ['Applicable', 'Automated', 'Holding', 'On purpose not', 'Failed']

const isBasic = ({ level }: Requirement) => level < 3

interface ReportInput {
  chapters: Chapter[]
  threats: Claim[]
  results: TestResult[]
  /** The commit that was checked. */
  commit: string
  /** How long it took. */
  minutes: number
}

/** The report as Markdown, and what does not hold though it should. */
export function writeReport({ chapters, threats, results, commit, minutes }: ReportInput) {
  const judge = <T extends Claim>(claim: T): Verdict<T> => ({ ...claim, reason: findReason(claim, results) })
  const verdicts = listRequirements(chapters).map(judge)
  const answered = threats.map(judge)
  const inChapter = (number: number) => verdicts.filter(({ id }) => id.startsWith(`${number}.`))
  const summary = chapters.map(({ number, title }) => [
    `V${number} ${title}`,
    ...sumUp(inChapter(number).filter(isBasic)),
  ])
  const text = `# Security report

Written by \`npm run verify:security\`, which runs every check and test that is named here: of \`${commit}\`, in ${minutes}
minutes. The requirements are those of OWASP ASVS
5.0.0, in our own words. “read” is a statement that no machine can judge: the file says it. “on purpose not” is one of the
deviations that [security.md](security.md#deliberately-different) explains.

## Levels 1 and 2
${formatTable(['Chapter', ...heads], [...summary, ['**All**', ...sumUp(verdicts.filter(isBasic))]])}

## Level 3
${formatTable(heads, [sumUp(verdicts.filter((verdict) => !isBasic(verdict)))])}

## Threats
${formatTable(
  ['Threat', 'What the console does about it', 'Holds', 'Proof'],
  answered.map((verdict) => [verdict.id, verdict.claim, describeVerdict(verdict), listProofs(verdict)]),
)}

## What a person has to read
No machine can judge these, or not all of them.

${formatTable(['Requirement', 'Level', 'What holds', 'Where it is seen'], verdicts.flatMap(writeReview))}

${chapters.map((chapter) => writeChapter(chapter, inChapter(chapter.number))).join('\n\n')}
`
  return { text, failed: [...verdicts, ...answered].filter(({ reason }) => reason !== null) }
}

const listProofs = ({ proofs }: Claim) => proofs.map(describeProof).join('; ')

const writeReview = ({ id, level, claim, proofs }: Requirement) =>
  proofs.flatMap((proof) => (proof.kind === 'review' ? [[id, level, claim, describeProof(proof)]] : []))

function writeChapter({ number, title, notApplicable = [] }: Chapter, verdicts: Verdict<Requirement>[]): string {
  const rows = verdicts.map((verdict) => [
    verdict.id,
    verdict.level,
    verdict.claim,
    describeVerdict(verdict),
    listProofs(verdict),
  ])
  const table = formatTable(['Requirement', 'Level', 'What holds', 'Holds', 'Proof'], rows)
  const others = notApplicable.map(({ ids, reason }) => `${ids.join(', ')}: ${reason}`)
  return `## V${number} ${title}\n${table}${others.length > 0 ? `\n\nWithout an object here: ${others.join('; ')}.` : ''}`
}
