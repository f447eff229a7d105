import { runScenarios } from '#test/faults/run-scenarios.ts'
import { writeReport } from '#test/scale/report.ts'
import { scenarios } from '#test/scale/scenarios/all.ts'

await runScenarios({
  scenarios,
  cacheName: 'scale',
  verdict: 'several servers work as one',
  report: { file: 'docs/scale-report.md', write: writeReport },
})
