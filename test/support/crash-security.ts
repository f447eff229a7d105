import type { NamedChange } from './crash-bank.ts'
import type { Change, CrashTools } from './crash-test.ts'
import type { TestServer } from './server.ts'

interface SecurityTools extends Pick<CrashTools, 'crashAtEachStatement'> {
  rowId: (statement: string) => Promise<string>
}

/** The changes of the Security screen, to be killed at each statement. */
export function createSecurityChanges(
  server: TestServer,
  { crashAtEachStatement, rowId }: SecurityTools,
): NamedChange[] {
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)
  return [
    [
      'the resolution of a security event',
      'POST /api/security/events/:id/resolve',
      change({
        make: () =>
          rowId(`INSERT INTO security_events (severity, event_type, description)
                 VALUES ('critical', 'sign_in_locked', 'Locked') RETURNING id::text`),
        act: ({ call }, id) => call('POST', `/api/security/events/${id}/resolve`, { note: 'Known' }),
        statusAgain: 409,
      }),
    ],
    [
      'the request for a verification of the audit log',
      'POST /api/security/integrity/verifications',
      change({
        make: () => server.sql(`DELETE FROM settings WHERE name = 'audit_verification_request'`),
        act: ({ call }) => call('POST', '/api/security/integrity/verifications'),
      }),
    ],
  ]
}
