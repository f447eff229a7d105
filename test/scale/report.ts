import { type Finding, writeTables } from '#test/faults/report.ts'

/** The report as Markdown. */
export const writeReport = (findings: readonly Finding[]): string => `# Report of several servers

Written by \`npm run verify:scale -- --report\`, which starts consoles, databases and proxies of its own, as processes, and kills, freezes, cuts off and upgrades
them while clients work. Calls are acknowledged, refused or unknown, and are looked for afterwards as the [faults report](faults-report.md) says. What is lost with an
asynchronous standby is told, not held: that setup allows it.

## Scenarios
${writeTables('Scenario', findings)}
`
