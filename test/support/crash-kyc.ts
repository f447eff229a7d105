import type { NamedChange } from './crash-bank.ts'
import type { Change, CrashTools } from './crash-test.ts'
import type { TestServer } from './server.ts'

interface CaseTools extends Pick<CrashTools, 'crashAtEachStatement'> {
  makeCase: () => Promise<{ id: string }>
  claimFor: (id: string) => Promise<unknown>
}

/** The changes of a case that needs another look, to be killed at each statement. */
export function createCaseChanges(server: TestServer, tools: CaseTools): NamedChange[] {
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      tools.crashAtEachStatement(described)
  return [
    [
      'a case that is put aside for a colleague',
      'POST /api/kyc/cases/:id/another-look',
      change({
        make: async () => {
          await server.sql('DELETE FROM kyc_claims')
          const made = await tools.makeCase()
          await tools.claimFor(made.id)
          return made
        },
        act: ({ call }, { id }) => call('POST', `/api/kyc/cases/${id}/another-look`, { note: 'Compare them' }),
      }),
    ],
    [
      'a case that goes back into the queue',
      'DELETE /api/kyc/cases/:id/another-look',
      change({
        make: async () => {
          const made = await tools.makeCase()
          await server.sql(
            "INSERT INTO kyc_another_looks (verification_id, admin_id, note) SELECT $1, min(id), 'Compare' FROM admins",
            [made.id],
          )
          return made
        },
        act: ({ call }, { id }) => call('DELETE', `/api/kyc/cases/${id}/another-look`),
      }),
    ],
  ]
}
