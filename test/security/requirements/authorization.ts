import { type Chapter, live, proven, review, tests } from '#test/security/requirement.ts'

const auth = (name: string) => `src/server/features/auth/${name}.test.ts`

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
