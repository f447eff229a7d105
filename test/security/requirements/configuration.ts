import { type Chapter, deviation, live, proven, review, source, tests } from '#test/security/requirement.ts'

/** V13 */
export const configuration: Chapter = {
  number: 13,
  title: 'Configuration',
  requirements: [
    proven('13.1.1', 2, 'Who is called is written down', review('docs/security.md', 'Calls to other servers')),
    proven(
      '13.1.2',
      3,
      'Limits of connections are written down',
      review('docs/operating.md', 'connections of the database, exports, streams'),
    ),
    proven(
      '13.1.3',
      3,
      'How long anything waits is written down',
      review('docs/product/14-constants.md', 'time-outs and limits'),
    ),
    proven(
      '13.2.1',
      2,
      'Services show who they are',
      tests(
        'src/server/adapters/standard-webhooks.test.ts',
        'what was tampered with, is old, unsigned or signed by another is refused',
      ),
      live('every call of the platform needs a key'),
    ),
    proven(
      '13.2.2',
      2,
      'The server’s account of the database may do what it needs alone',
      tests('src/server/db/rights.test.ts', 'has on every table the rights that it needs, and no others'),
    ),
    proven(
      '13.2.3',
      2,
      'No service has a password by default',
      tests('src/server/db/embedded/start.test.ts', 'only the owner reads the password and enters the database'),
    ),
    proven(
      '13.2.4',
      2,
      'Who may be called is bounded',
      tests(
        'src/server/adapters/outbound-http.test.ts',
        'a public name that leads inside is refused, at every connection again',
      ),
    ),
    proven(
      '13.2.5',
      2,
      'What may be loaded from is bounded',
      tests('src/server/adapters/outbound-http.test.ts', 'an address of this machine or network is refused'),
    ),
    proven(
      '13.2.6',
      3,
      'At its limits the server says so',
      tests('src/server/features/auth/auth.test.ts', 'sign-ins beyond the limit are 503 with Retry-After'),
      tests('src/server/platform/uploads.test.ts', 'uploads beyond the queue are 503 at once'),
    ),
    proven('13.3.1', 2, 'Secrets are settings or files, never sources', source('no secret is in the sources')),
    proven(
      '13.3.2',
      2,
      'Files of keys are their owner’s alone',
      tests('src/server/lib/key-file.test.ts', 'eight readers at once make one key that only its owner may read'),
    ),
    proven('13.4.1', 1, 'No files of the sources are served', live('files beside the pages are not served')),
    proven(
      '13.4.2',
      2,
      'Faults tell nothing of the inside',
      live('refusals tell nothing of the inside'),
      tests('test/headers.test.ts', 'carries every security header, and says nothing of what it runs on'),
    ),
    proven('13.4.3', 2, 'No folder is listed', live('files beside the pages are not served')),
    proven('13.4.4', 2, 'TRACE is refused', live('methods that are not served are refused')),
    proven(
      '13.4.5',
      2,
      'The description of the calls is for operators and keys',
      live('the description is not public'),
      tests('test/openapi.test.ts', 'the description opens to an operator and to a platform key, and to nobody else'),
    ),
    proven('13.4.6', 3, 'No reply names a version', live('every reply carries the security headers')),
    proven('13.4.7', 3, 'Only files of the pages are served', live('files beside the pages are not served')),
  ],
}

/** V14 */
export const dataProtection: Chapter = {
  number: 14,
  title: 'Data protection',
  requirements: [
    proven('14.1.1', 2, 'Data have classes', review('docs/security.md', 'Data and who may see it')),
    proven(
      '14.1.2',
      2,
      'Each class says who sees it and how it leaves',
      review('docs/security.md', 'Data and who may see it'),
    ),
    proven(
      '14.2.1',
      1,
      'No secret is in an address',
      tests('test/log.test.ts', 'the log holds no token, no search'),
      live('the token of a session is in its cookie alone'),
    ),
    proven('14.2.2', 2, 'No cache keeps answers', live('every reply carries the security headers')),
    proven(
      '14.2.3',
      2,
      'Nothing goes to third parties',
      live('a page loads its own files alone'),
      tests(
        'src/server/features/messages/payloads.test.ts',
        'each event carries what the contract says and nothing more',
      ),
    ),
    proven(
      '14.2.4',
      2,
      'The rules of each class are kept',
      tests(
        'test/roles.test.ts',
        'a viewer changes nothing and opens no document',
        'a search finds only what the role may view',
      ),
    ),
    proven(
      '14.2.5',
      3,
      'An address with another ending is not cached',
      live('an address with another ending holds no data'),
    ),
    proven(
      '14.2.6',
      3,
      'Accounts are masked until they are needed',
      deviation('docs/security.md', 'payments are matched by whole account numbers; who may see them is a permission'),
    ),
    proven(
      '14.2.7',
      3,
      'What is over is deleted',
      tests(
        'src/server/jobs/delete-expired.test.ts',
        'what has expired is deleted and what is in use stays',
        'view tokens go when their time is over',
      ),
    ),
    proven(
      '14.2.8',
      3,
      'Pictures lose what they tell of their place',
      tests('src/server/features/documents/store.test.ts', 'are kept as JPEG without metadata'),
    ),
    proven(
      '14.3.1',
      1,
      'Signing out leaves nothing in the browser',
      tests(
        'src/server/features/auth/auth.test.ts',
        'the token is dead, the cookie is taken back and cached pages are dropped',
      ),
      tests('test/e2e/session.e2e.ts', 'Back shows nothing of before'),
    ),
    proven('14.3.2', 2, 'Browsers keep no answers', live('every reply carries the security headers')),
    proven(
      '14.3.3',
      2,
      'Browsers store nothing secret',
      deviation('docs/security.md', 'view tokens of documents for 9 minutes: useless without the session’s cookie'),
    ),
  ],
}
