import { type Chapter, live, proven, review, source, tests } from '#test/security/requirement.ts'

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
        'src/server/features/bank/allocations/simultaneous.test.ts',
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
      tests('src/server/features/bank/allocations/storm.test.ts', 'the outcome of the money that came in adds up'),
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
        'a flood of one kind of refusal hides no event of another kind',
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
      tests('src/server/features/alarms/webhook.test.ts', 'after an outage everything arrives once and in order'),
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
      tests('src/server/features/members/ban.test.ts', 'a ban that cannot be recorded does not happen'),
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
