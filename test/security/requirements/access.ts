import { type Chapter, deviation, live, proven, review, source, tests } from '../requirement.ts'

const auth = (name: string) => `src/server/features/auth/${name}.test.ts`

/** V6 */
export const authentication: Chapter = {
  number: 6,
  title: 'Authentication',
  requirements: [
    proven(
      '6.1.1',
      1,
      'How guessing is stopped is written down',
      review('docs/security.md', 'Guessing: limits, locks, what opens them'),
    ),
    proven(
      '6.1.2',
      2,
      'Words that belong to the console are no passwords',
      tests(auth('password-policy'), 'what everybody tries first is refused'),
    ),
    proven(
      '6.1.3',
      2,
      'Every way to sign in is written down',
      review('docs/security.md', 'Signing in, Second factors, Operators'),
    ),
    proven(
      '6.2.1',
      1,
      'Passwords have 15 characters or more',
      tests(auth('password-policy'), '14 and 129 characters are refused'),
    ),
    proven(
      '6.2.2',
      1,
      'Operators change their password',
      tests(auth('account'), 'a new password ends the other sessions'),
    ),
    proven(
      '6.2.3',
      1,
      'Changing it takes the present one',
      tests(auth('account'), 'a wrong current password is 401, changes nothing'),
    ),
    proven(
      '6.2.4',
      1,
      'Common passwords are refused',
      tests(auth('password-policy'), 'what everybody tries first is refused'),
    ),
    proven(
      '6.2.5',
      1,
      'A password may hold any characters',
      tests(auth('password-policy'), 'a password of 15 to 128 characters of any kind is fine'),
    ),
    proven(
      '6.2.6',
      1,
      'A password is hidden while it is typed',
      tests('test/e2e/account.e2e.ts', 'a password can be pasted and shown'),
    ),
    proven(
      '6.2.7',
      1,
      'A password can be pasted, and filled in by a manager',
      tests('test/e2e/account.e2e.ts', 'a password can be pasted and shown'),
    ),
    proven(
      '6.2.8',
      1,
      'A password is checked as it was typed',
      tests(auth('password-policy'), 'a password of 15 to 128 characters of any kind is fine'),
      live('a password is checked to its last character'),
    ),
    proven(
      '6.2.9',
      2,
      'A password may have 64 characters and more',
      tests(auth('password-policy'), '14 and 129 characters are refused'),
    ),
    proven(
      '6.2.10',
      2,
      'A password never has to be changed by date',
      review('docs/security.md', 'Signing in: passwords never expire'),
    ),
    proven(
      '6.2.11',
      2,
      'Words of the console and the username do not count',
      tests(auth('password-policy'), 'what everybody tries first is refused'),
    ),
    proven(
      '6.2.12',
      2,
      'Leaked passwords are refused',
      deviation(
        'docs/security.md',
        'the list of passwords is short and ours: a corpus of leaked ones would have to come from elsewhere',
      ),
    ),
    proven(
      '6.3.1',
      1,
      'Guessing is stopped',
      tests(
        auth('throttle'),
        'five failures lock the account for a stated time',
        'thirty failures a minute close the network for every name',
        'guesses sent at once pass no limit',
      ),
    ),
    proven(
      '6.3.2',
      1,
      'No account is there by default',
      live('no default account opens the console'),
      tests(
        'src/server/process/first-admin.test.ts',
        'a first start without settings makes admin with a password shown once',
      ),
    ),
    proven(
      '6.3.3',
      2,
      'A second factor can be required of all',
      tests(auth('factors/required-factors'), 'an admin without one can add one, and nothing else before'),
    ),
    proven(
      '6.3.4',
      2,
      'There is no way in that is not written down',
      tests('test/contract-calls.test.ts', 'only known calls answer without a session or a platform key'),
    ),
    proven('6.3.5', 3, 'Odd sign-ins are reported', tests(auth('auth'), 'a sign-in from a new address is an event')),
    proven(
      '6.3.7',
      3,
      'Changes of factors are reported',
      tests(auth('factors/factors'), 'an authenticator app is added by its first code'),
      review('docs/security.md', 'Second factors: each change is a security event'),
    ),
    proven(
      '6.3.8',
      3,
      'A reply does not tell whether a name is known',
      tests(auth('auth'), 'a wrong password and an unknown name answer the same 401'),
      tests(auth('throttle'), 'an unknown name is closed just like a known one'),
    ),
    proven(
      '6.4.1',
      1,
      'The first password is random, and each further operator sets their own',
      tests(
        'src/server/process/first-admin.test.ts',
        'a first start without settings makes admin with a password shown once',
      ),
      tests(
        'src/server/features/operators/operators.test.ts',
        'an invited operator sets a password by the link',
        'a link works once, and not after its time',
      ),
    ),
    proven('6.4.2', 1, 'No hints and no secret questions', source('no call asks for hints of a password')),
    proven(
      '6.4.3',
      2,
      'A new password goes past no factor',
      review('docs/security.md', 'Second factors: set-password leaves them'),
    ),
    proven(
      '6.4.4',
      2,
      'A lost factor is taken away by who has the machine',
      tests(auth('factors/required-factors'), 'it takes factors and codes away and ends the sessions'),
    ),
    proven(
      '6.5.1',
      2,
      'A code counts once',
      tests(
        auth('authenticator-codes'),
        'the same code twice is refused',
        'one code sent eight times at once has one winner',
      ),
      tests(auth('passkey-sign-in'), 'one code sent eight times at once has one winner'),
    ),
    proven(
      '6.5.2',
      2,
      'Recovery codes are kept as hashes',
      tests(auth('authenticator-codes'), 'the database holds neither seed nor recovery code'),
    ),
    proven('6.5.3', 2, 'Seeds are random', source('secrets come from the random numbers of the system')),
    proven(
      '6.5.4',
      2,
      'Recovery codes are long',
      review('src/server/features/auth/factors/recovery-codes.ts', '120 random bits each'),
    ),
    proven(
      '6.5.5',
      2,
      'A code is good for its half minute, and one step to either side',
      tests(auth('authenticator-codes'), 'the clock is the database’s'),
    ),
    proven(
      '6.5.6',
      3,
      'A factor can be taken away',
      tests(auth('factors/factors'), 'one of two factors leaves the other and its codes'),
    ),
    proven(
      '6.5.8',
      3,
      'The clock of codes is the server’s side',
      tests(auth('authenticator-codes'), 'the clock is the database’s'),
    ),
    proven(
      '6.7.1',
      3,
      'Keys of factors are changed by the console alone',
      tests('src/server/db/rights.test.ts', 'has on every table the rights that it needs, and no others'),
    ),
    proven(
      '6.7.2',
      3,
      'Challenges are long and used once',
      tests(auth('passkey-sign-in'), 'a challenge is answered once'),
    ),
  ],
  notApplicable: [{ ids: ['6.6.1', '6.6.2', '6.6.3'], reason: 'no codes by telephone, mail or push' }],
}

/** V7 */
export const sessions: Chapter = {
  number: 7,
  title: 'Sessions',
  requirements: [
    proven(
      '7.1.1',
      2,
      'When sessions end is written down',
      review('docs/security.md', 'Sessions: 30 minutes without use, 12 hours in all, and why'),
    ),
    proven(
      '7.1.2',
      2,
      'How many sessions an operator has is written down',
      review('docs/security.md', 'Sessions: five, the oldest goes'),
    ),
    proven('7.2.1', 1, 'The server judges every session', live('a made-up session opens nothing')),
    proven('7.2.2', 1, 'Tokens are made for each sign-in', live('each sign-in has another token')),
    proven(
      '7.2.3',
      1,
      'Tokens hold 256 random bits',
      live('each sign-in has another token'),
      source('secrets come from the random numbers of the system'),
    ),
    proven(
      '7.2.4',
      1,
      'A sign-in ends the session that the browser had',
      live('each sign-in has another token'),
      tests(auth('sessions'), 'a session set before sign-in is replaced'),
    ),
    proven(
      '7.3.1',
      2,
      'A session ends without use',
      tests(auth('sessions'), 'a session ends after 30 minutes without use'),
    ),
    proven(
      '7.3.2',
      2,
      'A session ends however much it is used',
      tests(auth('sessions'), 'a session ends 12 hours after sign-in'),
    ),
    proven('7.4.1', 1, 'Signing out ends the session on the server', live('a session is over after signing out')),
    proven(
      '7.4.2',
      1,
      'A disabled operator has no session',
      tests('src/server/features/operators/operators.test.ts', 'a disabled operator is out with the next call'),
    ),
    proven(
      '7.4.3',
      2,
      'A changed factor ends the other sessions',
      tests(auth('factors/factors'), 'the admin’s other sessions end, and this one stays'),
    ),
    proven(
      '7.4.4',
      2,
      'Signing out is in sight on every screen',
      tests('test/e2e/session.e2e.ts', 'after logout the admin is at /login'),
    ),
    proven(
      '7.4.5',
      2,
      'Sessions are ended one by one or all, by operators and by who has the machine',
      tests(auth('account'), 'all other sessions end at once'),
      tests('src/server/features/operators/operators.test.ts', 'the sessions of an operator can be ended'),
      tests('src/server/cli/admin.test.ts', 'end-session ends one session by its id, or all of an admin'),
    ),
    proven(
      '7.5.1',
      2,
      'Changing factors takes a recent sign-in',
      tests(auth('step-up'), 'changes of factors, endpoints and the bank policy are among them'),
    ),
    proven(
      '7.5.2',
      2,
      'Operators see and end their sessions',
      tests(
        'test/e2e/account.e2e.ts',
        'own sessions are listed in words',
        'an ended session shows the sign-in form at once',
      ),
    ),
    proven(
      '7.5.3',
      3,
      'Dangerous changes take a recent sign-in',
      tests(auth('step-up'), 'is refused after 15 minutes, with the methods'),
    ),
    proven('7.6.2', 2, 'A session begins by signing in alone', live('reading begins no session')),
  ],
  notApplicable: [
    { ids: ['7.1.3', '7.6.1'], reason: 'the console keeps its own sessions, however an operator signed in' },
  ],
}

/** V8 */
export const authorization: Chapter = {
  number: 8,
  title: 'Authorization',
  requirements: [
    proven(
      '8.1.1',
      1,
      'Who may make which call is written down',
      tests('test/roles.test.ts', 'docs/access-matrix.md says what the contract says'),
    ),
    proven(
      '8.1.2',
      2,
      'Who may see which fields is written down',
      tests('test/platform-docs.test.ts', 'the page lists every scope with what it allows'),
      review('docs/product/2-access.md', 'what a role sees of lists, notices and a member'),
    ),
    proven(
      '8.2.1',
      1,
      'Every call asks who makes it',
      live(
        'every call of operators needs a session',
        'every call of the platform needs a key',
        'each key does what its scopes allow',
      ),
      tests('test/permissions.test.ts', ' is 403 without '),
    ),
    proven(
      '8.2.2',
      1,
      'What belongs to another is out of reach',
      tests(
        'src/server/features/documents/tokens.test.ts',
        'T5: a document of another member is 404',
        'T8: a token of another session is 404',
      ),
      tests(auth('account'), 's session is as unknown as none'),
    ),
    proven(
      '8.2.3',
      2,
      'Fields that nobody may set are refused',
      tests('src/server/platform/payment-fields.test.ts', 'the platform sends no fields of the payment'),
      live('a field that is not there is refused'),
    ),
    proven('8.3.1', 1, 'The server decides', tests('test/permissions.test.ts', ' is 403 without ')),
    proven(
      '8.3.2',
      3,
      'A change of rights counts at once',
      tests(
        'src/server/features/operators/operators.test.ts',
        'a change of the role ends the sessions',
        'a disabled operator is out with the next call',
      ),
    ),
  ],
  notApplicable: [{ ids: ['8.4.1'], reason: 'one platform, one console' }],
}
