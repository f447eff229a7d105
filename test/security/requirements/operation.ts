import { type Chapter, deviation, live, proven, review, source, tests } from '../requirement.ts'

/** V11 */
export const cryptography: Chapter = {
  number: 11,
  title: 'Cryptography',
  requirements: [
    proven(
      '11.1.1',
      2,
      'How keys are made, kept and replaced is written down',
      review('docs/security.md', 'Cryptography: each use with its key; docs/operating.md: replacing them'),
    ),
    proven('11.1.2', 2, 'Each use of cryptography is listed', review('docs/security.md', 'Cryptography')),
    proven(
      '11.2.1',
      2,
      'Cryptography is that of the runtime and of reviewed libraries',
      source('cryptography comes from known places'),
    ),
    proven(
      '11.2.2',
      2,
      'Algorithms can be replaced',
      tests('src/server/features/auth/auth.test.ts', 'a password hashed with older parameters is hashed anew'),
      tests('src/server/features/messages/endpoints.test.ts', 'a new secret signs beside the old one'),
    ),
    proven(
      '11.2.3',
      2,
      'Everything has 128 bits of security or more',
      review('docs/security.md', 'Cryptography: tokens of 32 bytes, HMAC-SHA256, AES-256'),
    ),
    proven('11.2.4', 3, 'Secrets are compared in constant time', source('secrets are compared in constant time')),
    proven('11.3.1', 1, 'No weak modes of ciphers', source('ciphers are AES-256-GCM')),
    proven('11.3.2', 1, 'Ciphers are AES-256-GCM', source('ciphers are AES-256-GCM')),
    proven(
      '11.3.3',
      2,
      'What was encrypted cannot be changed unseen',
      tests(
        'src/server/features/auth/authenticator-codes.test.ts',
        'a flipped bit is an error and no code is taken',
        'the seed of another admin’s row is an error',
      ),
    ),
    proven('11.3.4', 3, 'No number is used twice', source('each encryption has a new number')),
    proven('11.4.1', 1, 'No weak hashes', source('weak hashes are used where a provider signs with them alone')),
    proven(
      '11.4.2',
      2,
      'Passwords are kept as argon2id',
      review('src/server/features/auth/passwords.ts', '64 MiB, 3 passes'),
      tests('src/server/features/auth/auth.test.ts', 'PostgreSQL holds no usable token'),
    ),
    proven(
      '11.4.3',
      2,
      'The audit log is sealed with a hash of 256 bits',
      tests('src/server/features/audit-chain/seal.test.ts', 'audit verify ends with 1 and names the first bad entry'),
    ),
    proven(
      '11.5.1',
      2,
      'What must not be guessed is random',
      source('secrets come from the random numbers of the system'),
    ),
    proven(
      '11.6.1',
      2,
      'Signatures are HMAC-SHA256',
      tests(
        'src/server/adapters/standard-webhooks.test.ts',
        'a message is signed as the scheme’s own published example',
      ),
    ),
  ],
  notApplicable: [{ ids: ['11.4.4'], reason: 'no key is derived from a password' }],
}

/** V12 */
export const communication: Chapter = {
  number: 12,
  title: 'Connections',
  requirements: [
    proven(
      '12.1.1',
      1,
      'Browsers connect by TLS 1.2 or newer',
      review('docs/operating.md', 'the proxy in front ends TLS'),
    ),
    proven(
      '12.1.2',
      2,
      'Ciphers are those that are recommended',
      review('docs/operating.md', 'the proxy in front ends TLS'),
    ),
    proven(
      '12.2.1',
      1,
      'Passwords travel by https',
      tests('src/server/core/config.test.ts', 'https, loopback or an explicit wish is enough to serve passwords'),
    ),
    proven(
      '12.2.2',
      1,
      'Certificates are those that browsers know',
      review('docs/operating.md', 'the proxy in front ends TLS'),
    ),
    proven(
      '12.3.1',
      2,
      'Other servers are called by https',
      tests(
        'src/server/core/config.test.ts',
        'stops the start with one line that names the setting',
        'an explicit wish is enough for a database or a node over an open connection',
      ),
    ),
    proven(
      '12.3.2',
      2,
      'Certificates of other servers are checked',
      tests('src/server/adapters/outbound-http.test.ts', 'a certificate that nobody vouches for is refused'),
    ),
    proven(
      '12.3.3',
      2,
      'The database is reached by TLS off this machine',
      tests(
        'src/server/core/config.test.ts',
        'an explicit wish is enough for a database or a node over an open connection',
      ),
    ),
    proven(
      '12.3.4',
      2,
      'An authority of one’s own can be named',
      review('docs/operating.md', 'NODE_EXTRA_CA_CERTS and sslrootcert'),
    ),
  ],
  notApplicable: [{ ids: ['12.1.3'], reason: 'no client certificates' }],
}

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
        'a public name that leads inside is refused, at every connection anew',
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

/** V15 */
export const architecture: Chapter = {
  number: 15,
  title: 'Coding and architecture',
  requirements: [
    proven(
      '15.1.1',
      1,
      'How soon advisories are answered is written down',
      review('docs/security.md', 'Dependencies: days by severity'),
    ),
    proven(
      '15.1.2',
      2,
      'A bill of materials is made by a command',
      tests('test/supply-chain.test.ts', 'the bill of materials and the licences name every locked package'),
    ),
    proven(
      '15.1.3',
      2,
      'What is expensive is written down',
      review('docs/security.md', 'limits of sign-ins, uploads, exports and reads'),
    ),
    proven(
      '15.2.1',
      1,
      'Advisories are asked for by a command',
      review('docs/security.md', 'Dependencies: npm run audit'),
    ),
    proven(
      '15.2.2',
      2,
      'No call takes all of the server',
      tests(
        'src/server/features/kyc-results/flood.test.ts',
        'a flood without a signature writes 30 rows and one event a network',
      ),
      live('numbers beyond their range are refused'),
    ),
    proven(
      '15.2.3',
      2,
      'Nothing of tests is served',
      tests('src/server/openapi/openapi.test.ts', 'every call of both APIs is in it and nothing else'),
    ),
    proven(
      '15.2.4',
      3,
      'Dependencies come from where they are locked to',
      source('every dependency is locked by its hash'),
      tests('test/supply-chain.test.ts', 'no install script of a dependency runs'),
    ),
    proven(
      '15.3.1',
      1,
      'Answers hold what is needed alone',
      tests('src/server/features/auth/auth.test.ts', 'a sign-in answers the admin, and its cookie opens the console'),
    ),
    proven(
      '15.3.2',
      2,
      'No redirect is followed',
      tests('src/server/adapters/outbound-http.test.ts', 'a redirect is refused and its target never asked'),
    ),
    proven('15.3.3', 2, 'Fields that are not there are refused', live('a field that is not there is refused')),
    proven(
      '15.3.4',
      2,
      'The address of a caller is not what the caller says',
      tests('src/server/core/config.test.ts', 'X-Forwarded-For is believed from a trusted proxy, and from nobody else'),
    ),
    proven('15.3.5', 2, 'A field has its type', live('a field of another type is refused')),
    proven('15.3.6', 2, 'No body sets a prototype', live('a body that sets a prototype is refused')),
    proven('15.3.7', 2, 'A parameter is given once', live('a parameter that is given twice is refused')),
    proven(
      '15.4.2',
      3,
      'What is checked is locked',
      tests(
        'src/server/features/bank/parts/simultaneous.test.ts',
        'of two operators who apply one line at once one is refused',
      ),
      tests(
        'src/server/features/orders/moves.test.ts',
        'an order that expires while a move waits for its row is not moved',
      ),
    ),
    proven(
      '15.4.3',
      3,
      'Locks are taken in one order',
      tests('src/server/features/bank/parts/storm.test.ts', 'what became of the money that came in adds up'),
    ),
  ],
}

/** V16 */
export const logging: Chapter = {
  number: 16,
  title: 'Logs and faults',
  requirements: [
    proven('16.1.1', 2, 'What is written down is listed', review('docs/security.md', 'What is written down')),
    proven(
      '16.2.1',
      2,
      'Each entry says who did what to whom, when and from where',
      tests(
        'src/server/features/security/security.test.ts',
        'answers who did what, on what, with details as an object',
      ),
    ),
    proven(
      '16.2.2',
      2,
      'Times are in UTC',
      tests('src/server/db/own-server.test.ts', 'instants are read alike in every time zone and date style'),
    ),
    proven('16.2.3', 2, 'Logs go where it is written', review('docs/operating.md', 'standard output as JSON lines')),
    proven(
      '16.2.4',
      2,
      'Logs can be read by machines',
      tests('test/log.test.ts', 'an answer and its log lines bear one request id'),
    ),
    proven('16.2.5', 2, 'Logs hold no secrets', tests('test/log.test.ts', 'the log holds no token, no search')),
    proven(
      '16.3.1',
      2,
      'Sign-ins are written down',
      tests('src/server/features/auth/auth.test.ts', 'sign-in, failed sign-in and sign-out, with who and from where'),
    ),
    proven(
      '16.3.2',
      2,
      'Refusals are written down',
      tests('src/server/http/refusal-tally.test.ts', 'many calls without a session are one event and its count'),
    ),
    proven(
      '16.3.3',
      2,
      'Tries to get past a rule are written down',
      tests(
        'src/server/http/refusal-tally.test.ts',
        'changes that pages of another site ask for are events',
        'a refused move is an event that names operator, call and code',
      ),
    ),
    proven(
      '16.3.4',
      2,
      'Faults are written down',
      tests('test/log.test.ts', 'the stack of a fault but not of a refusal'),
    ),
    proven(
      '16.4.1',
      2,
      'No entry can be made to look like two',
      tests('src/server/cli/admin.test.ts', 'control characters of its own words are shown as ?'),
    ),
    proven(
      '16.4.2',
      2,
      'Entries cannot be changed unseen',
      live('the audit log is what was sealed'),
      tests(
        'src/server/features/security/security.test.ts',
        'audit rows are never changed or deleted, not even by SQL',
      ),
    ),
    proven(
      '16.4.3',
      2,
      'The state of the log is kept elsewhere',
      tests('src/server/features/audit-chain/seal.test.ts', 'a checkpoint is kept after a hundred rows'),
    ),
    proven('16.5.1', 2, 'A fault is answered in general words', live('refusals tell nothing of the inside')),
    proven(
      '16.5.2',
      2,
      'The console stays safe while others are away',
      tests('test/faults.test.ts', 'calls answer 503 with Retry-After while the database is away'),
      tests('src/server/features/tokens/chain-check.test.ts', 'a silent node is 200 unreachable within three seconds'),
    ),
    proven(
      '16.5.3',
      2,
      'What cannot be recorded does not happen',
      tests('src/server/features/users/ban.test.ts', 'a ban that cannot be recorded does not happen'),
      tests('src/server/features/orders/moves.test.ts', 'a move that cannot be recorded does not happen'),
    ),
    proven(
      '16.5.4',
      3,
      'A fault that nobody caught ends the process',
      review('docs/operating.md', 'the server ends, and is started again by who watches it'),
    ),
  ],
}
