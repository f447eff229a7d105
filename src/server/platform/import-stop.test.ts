import { expect, test } from 'vitest'
import { AppError } from '#server/lib/errors.ts'
import { initialState } from './import-state.ts'
import { explainStop, type ImportKind } from './import-stop.ts'

const lost = new AppError('outcome_unknown', 'It is not known', {
  cause: new Error('Connection terminated unexpectedly'),
})
const explain = (lastLine: number, kind: Partial<ImportKind> = {}) =>
  explainStop(lost, { ...initialState, lastLine }, { isDryRun: false, isKept: false, ...kind })

test.each([
  [0, {}, 'its lines may or may not be stored; send all of it again: what is stored already is not stored twice'],
  [
    500,
    {},
    'lines 1 to 500 stand, those after them may or may not; send all of it again: what is stored already is not stored twice',
  ],
  [
    500,
    { isKept: true },
    'lines 1 to 500 stand, those after them may or may not; send all of it again with the same batch id: what is stored already is not stored twice',
  ],
  [
    0,
    { isKept: true },
    'its lines may or may not be stored; send all of it again with the same batch id: what is stored already is not stored twice',
  ],
  [0, { isDryRun: true }, 'it was a dry run, nothing was stored'],
])('an import whose COMMIT was lost after line %i says what to do, %j', (lastLine, kind, stands) => {
  expect(explain(lastLine, kind)).toMatchObject({
    code: 'outcome_unknown',
    retryAfter: 5,
    message: `The import stopped because the database's last answer was lost: ${stands}`,
  })
})
