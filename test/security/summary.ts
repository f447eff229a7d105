import { liveChecks } from './live/checks.ts'

/** A check of a console elsewhere, as the test runner reports it. */
export interface CheckResult {
  title: string
  status: string
  meta?: { note?: string }
}

/** These need what only a console of the tests has. */
const isOursAlone = (title: string) =>
  liveChecks.some(({ name, needs }) => name === title && needs !== undefined && needs !== 'session')

/** The outcome in lines, and the exit code: 1 where something does not hold, 3 where something that can be was not checked. */
export function sumUpChecks(results: CheckResult[]): { lines: string[]; exitCode: number } {
  const passed = results.filter(({ status }) => status === 'passed')
  const failed = results.filter(({ status }) => status === 'failed')
  const left = results.filter((each) => !passed.includes(each) && !failed.includes(each))
  const reasons = Map.groupBy(left, ({ meta }) => meta?.note ?? 'was not begun')
  const lines = [
    ...passed.filter(({ meta }) => meta?.note).map(({ title, meta }) => `holds: ${title}: ${meta!.note}`),
    ...[...reasons].flatMap(([reason, checks]) => [
      `not checked, ${reason}:`,
      ...checks.map(({ title }) => `  ${title}`),
    ]),
    ...failed.map(({ title }) => `does not hold: ${title}`),
    `${passed.length} hold, ${left.length} not checked, ${failed.length} ${failed.length === 1 ? 'does' : 'do'} not hold`,
  ]
  if (failed.length > 0) return { lines, exitCode: 1 }
  return { lines, exitCode: left.every(({ title }) => isOursAlone(title)) ? 0 : 3 }
}

/**
 * The outcome of a run over everything, in a line, and the exit code. A test that no requirement names, and a file that does not load,
 * are seen by the exit codes of the runs alone.
 */
export function sumUpRequirements(failed: number, codes: readonly number[]): { line: string; exitCode: number } {
  if (failed > 0)
    return { line: `${failed} ${failed === 1 ? 'requirement does' : 'requirements do'} not hold`, exitCode: 1 }
  if (codes.some((code) => code !== 0))
    return {
      line: 'The proof of each requirement holds, but other tests of these files failed: see above',
      exitCode: 1,
    }
  return { line: 'docs/security-report.md: every requirement holds', exitCode: 0 }
}
