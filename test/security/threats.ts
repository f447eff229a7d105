import { type Claim, deviation, live, source, tests } from './requirement.ts'

const auth = (name: string) => `src/server/features/auth/${name}.test.ts`
const documents = (name: string) => `src/server/features/documents/${name}.test.ts`

const threat = (number: number, claim: string, ...proofs: Claim['proofs']): Claim => ({
  id: `T${number}`,
  claim,
  proofs,
})

/** What attackers try, each with what the console does about it. */
export const threats: Claim[] = [
  threat(
    1,
    'Guessing a password: one count over sign-in, confirmation and change, that outlives a restart and leaves known devices in',
    tests(
      auth('throttle'),
      'five failures lock the account for a stated time',
      'a new server on the same database keeps it closed',
      'a known device signs in while guesses of strangers take every place',
    ),
    tests(auth('account'), 'wrong current passwords and failed sign-ins share one count'),
    tests(auth('step-up'), 'wrong codes in a session and wrong passwords share one count'),
  ),
  threat(
    2,
    'A stolen or planted session: the token is new at each sign-in, dead after each end, and not in the database',
    tests(
      auth('sessions'),
      'a session set before sign-in is replaced, and the old token opens nothing',
      'a session ends after 30 minutes without use',
      'a session ends 12 hours after sign-in',
    ),
    tests(auth('auth'), 'PostgreSQL holds no usable token'),
    live('a session is over after signing out'),
  ),
  threat(
    3,
    'A change that another site asks for: refused at every call that changes anything, and an event',
    live('changes that another site asks for are refused', 'bodies of forms are refused', 'no change is made by GET'),
    tests('src/server/http/refusal-tally.test.ts', 'changes that pages of another site ask for are events'),
  ),
  threat(
    4,
    'The console in a frame of another page: no browser shows it',
    live('the policy of the page runs our own files alone'),
    tests('test/e2e/framed.e2e.ts', 'a page of others cannot show the console in a frame'),
  ),
  threat(
    5,
    'The document of another member: 404 and an event',
    tests(documents('tokens'), 'T5: a document of another member is 404 and a security event'),
  ),
  threat(
    6,
    'A picture that is not one: the bytes decide, and what is kept is made again',
    tests(
      documents('store'),
      'bytes that are no picture are 415, whatever they are called',
      'JPEG, PNG and WebP are kept as JPEG without metadata',
    ),
  ),
  threat(
    7,
    'A path that leads elsewhere: it names no document',
    tests(documents('tokens'), 'names no document, so it is 404'),
  ),
  threat(
    8,
    'A document token that leaks: it is bound to its session, ends by itself and with the sign-out',
    tests(
      documents('tokens'),
      'T8: a token of another session is 404 everywhere and a security event',
      'only the hash of a token is kept, for 10 minutes by the database clock',
      'a token dies with sign-out',
    ),
  ),
  threat(
    9,
    'Scripts in names, reasons and notes: shown as text everywhere',
    tests('test/e2e/hostile-texts.e2e.ts', 'runs nothing that a text of others holds'),
    source('no markup and no SQL is made by joining texts'),
  ),
  threat(
    10,
    'A link that is a script: only http and https are taken',
    tests('src/server/features/tokens/tokens.test.ts', 'is 400 naming the field'),
  ),
  threat(
    11,
    'A formula in an export: neutralized in every cell',
    tests(
      'src/server/http/csv.test.ts',
      'text that a spreadsheet would run as a formula is neutralized',
      'a formula is neutralized wherever another separator',
    ),
  ),
  threat(
    12,
    'A call that is led inside: refused by what is connected to, at every connection again',
    tests(
      'src/server/adapters/outbound-http.test.ts',
      'an address of this machine or network is refused however it is written',
      'a public name that leads inside is refused, at every connection again',
      'a redirect is refused and its target never asked',
    ),
  ),
  threat(13, 'Wildcards in a search: found as they are', tests('src/server/lib/search-text.test.ts', 'not by ')),
  threat(
    14,
    'SQL in a text: a parameter like any other',
    live('texts of SQL are searched for as texts'),
    tests('test/contract-calls.test.ts', 'hostile parameters, queries and bodies are a 4xx that says why'),
  ),
  threat(15, 'A prototype in a body: refused by its name', live('a body that sets a prototype is refused')),
  threat(
    16,
    'Two decisions at once: one wins, with one audit row and one event',
    tests('src/server/features/orders/moves.test.ts', 'of 20 moves at once exactly one wins'),
    tests('src/server/features/kyc/review.test.ts', 'one of 20 simultaneous reviews is 200'),
    tests('src/server/features/members/ban.test.ts', 'of 20 bans at once exactly one wins'),
  ),
  threat(
    17,
    'Calls that cost much: bounds on pages, bodies, depth and texts',
    live(
      'numbers beyond their range are refused',
      'unreadable and endless texts are refused by field',
      'a large body is refused',
    ),
    tests('src/server/features/kyc-results/signatures.test.ts', 'a body nested as deep as 64 kB allow is refused'),
  ),
  threat(
    18,
    'Pictures and archives that grow: told without decoding, one large one at a time',
    tests(
      documents('store'),
      'more than 10 MB or 40 megapixels is 413, told without decoding',
      'of several large pictures one at a time is decoded',
    ),
  ),
  threat(
    19,
    'A lost update, or an answer that is played again: 409, and applied once',
    tests('src/server/features/tokens/tokens.test.ts', 'a stale If-Match is 409'),
    tests(
      'src/server/features/kyc-results/results.test.ts',
      'a message sent again under a new signature is a duplicate',
    ),
  ),
  threat(
    20,
    'Changing the audit log: every bad row is named, by a superuser’s hand too',
    tests('src/server/features/audit-chain/seal.test.ts', 'audit verify ends with 1 and names the first bad entry'),
    tests(
      'src/server/features/audit-chain/faults.test.ts',
      'all bad rows are named, not the first alone',
      'missing entries of the chain and the rows that lack them are both named',
      'an end that was cut off is shown at the last entry that is left',
    ),
  ),
  threat(
    21,
    'Lines made up in a log: no control character is written as it is',
    source('log messages are constant'),
    tests('src/server/cli/admin.test.ts', 'control characters of its own words are shown as ?'),
    tests('src/server/adapters/syslog.test.ts', 'values that would end the element are escaped'),
  ),
  threat(22, 'Fields that a call does not have: refused', live('a field that is not there is refused')),
  threat(
    23,
    'Data kept by a cache: no call may be, whatever its address ends with',
    live('an address with another ending holds no data', 'every reply carries the security headers'),
  ),
  threat(
    24,
    'Account numbers on the screen',
    deviation('docs/security.md', 'payments are matched by whole account numbers (14.2.6)'),
  ),
]
