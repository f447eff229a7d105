import { contextFor } from '#server/core/context.ts'
import { eraseMember } from '#server/features/erasure/service.ts'
import type { NamedChange } from './crash-bank.ts'
import type { CrashTools } from './crash-test.ts'
import { makeDocument } from './make.ts'
import type { TestServer } from './server.ts'

/** The erasure of a member, to be killed at each statement. */
export function createErasureChanges(
  server: TestServer,
  { crashAtEachStatement, makeCase }: CrashTools & { makeCase: () => Promise<{ memberId: string }> },
): NamedChange[] {
  return [
    [
      'an erasure',
      'npm run admin -- erase',
      () =>
        crashAtEachStatement({
          make: async () => {
            const { memberId } = await makeCase()
            await makeDocument(server, memberId, { bytes: null })
            return memberId
          },
          act: ({ services }, memberId) =>
            eraseMember(contextFor(services, { kind: 'command', name: 'npm run admin' }), memberId).then(
              () => ({ statusCode: 200, body: '' }),
              () => ({ statusCode: 0, body: '' }),
            ),
          // The first transaction only checks. The files are deleted once the erasure stands.
          standsAfter: 2,
        }),
    ],
  ]
}
