import { writeFileSync } from 'node:fs'

/**
 * Vitest's reporter for `npm test`: writes how many tests passed, what failed and what was skipped to the file of `VITEST_SUMMARY`. Its own JSON
 * report leaves out what failed outside a test, such as an unhandled rejection.
 */
export default class VitestSummary {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const failedTests = tests.filter((test) => test.result().state === 'failed')
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()])
    const failures = [
      ...failedTests.map((test) =>
        describe(`${test.module.relativeModuleId} › ${test.fullName}`, test.result().errors),
      ),
      ...suites
        .filter((suite) => suite.errors().length > 0)
        .map((suite) => describe(suite.fullName ?? suite.relativeModuleId, suite.errors())),
      ...unhandledErrors.map((error) => describe('Outside a test', [error])),
    ]
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const skipped = tests
      .filter((test) => test.result().state === 'skipped')
      .map((test) => `${test.module.relativeModuleId} › ${test.fullName}`)
    writeFileSync(process.env.VITEST_SUMMARY, JSON.stringify({ passed, failures, skipped }))
  }
}

/** The place and the reasons, with the project's own lines of the stack. */
const describe = (place, errors) =>
  [place, ...errors.map((error) => error.stack ?? error.message)]
    .flatMap((text) => text.split('\n').filter((line) => !/^ {4}at .*(node_modules|node:|<anonymous>)/.test(line)))
    .join('\n')
