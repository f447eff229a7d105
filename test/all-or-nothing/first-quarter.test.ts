import { test } from 'vitest'
import { createChanges } from '#test/support/crash-changes.ts'

const changes = await createChanges('each statement')

// Each is some forty calls, of a payment that comes back some sixty.
test.each(changes.filter((_, at) => at % 4 === 0))(
  '%s (%s) killed at any statement stands whole or not at all (CONTRIBUTING rule 3)',
  (_what, _by, prove) => prove(),
)
