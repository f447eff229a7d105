import { type Chapter, live, proven, review, source, tests } from '#test/security/requirement.ts'

const auth = (name: string) => `src/server/features/auth/${name}.test.ts`

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
      tests(auth('step-up-rules'), 'wants a recent sign-in where the rule of its kind is on'),
    ),
    proven('7.6.2', 2, 'A session begins by signing in alone', live('reading begins no session')),
  ],
  notApplicable: [
    { ids: ['7.1.3', '7.6.1'], reason: 'the console keeps its own sessions, however an operator signed in' },
  ],
}
