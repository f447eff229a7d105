import { writeReport } from '#test/faults/report.ts'
import { runScenarios } from '#test/faults/run-scenarios.ts'
import { scenarios } from '#test/faults/scenarios/all.ts'

await runScenarios({
  scenarios,
  cacheName: 'faults',
  verdict: 'everything that was acknowledged stands, once',
  report: { file: 'docs/faults-report.md', write: writeReport },
})
