import { type Chapter, live, proven, review, source, tests } from '#test/security/requirement.ts'

/** V1 */
export const encoding: Chapter = {
  number: 1,
  title: 'Encoding and sanitization',
  requirements: [
    proven('1.1.1', 2, 'An address is decoded once, and then judged', live('an address is decoded once')),
    proven(
      '1.1.2',
      2,
      'Text is escaped where it is written: parameters in SQL, text nodes in the page',
      source('no markup and no SQL is made by joining texts'),
    ),
    proven(
      '1.2.1',
      1,
      'Texts of others are shown as text on every screen',
      tests('test/e2e/hostile-texts.e2e.ts', 'runs nothing that a text of others holds'),
    ),
    proven(
      '1.2.2',
      1,
      'Only addresses of http and https become links',
      tests('src/server/features/tokens/tokens.test.ts', 'is 400 naming the field'),
    ),
    proven(
      '1.2.3',
      1,
      'Data reach the page as JSON alone, never inside a script',
      live('calls answer JSON, whatever callback is named', 'a page holds no inline script'),
    ),
    proven('1.2.4', 1, 'Statements take values as parameters', live('texts of SQL are searched for as texts')),
    proven('1.2.5', 1, 'No command of the system is made from texts', source('the server starts no shell')),
    proven(
      '1.2.9',
      2,
      'Expressions are never made from what others send',
      source('no expression is made from a text of others'),
    ),
    proven(
      '1.2.10',
      3,
      'A cell of an export is never a formula',
      tests(
        'src/server/http/csv.test.ts',
        'text that a spreadsheet would run as a formula is neutralized',
        'a formula is neutralized wherever another separator',
      ),
    ),
    proven(
      '1.3.2',
      1,
      'Nothing is evaluated as code, in the server or the page',
      source('nothing is evaluated'),
      live('the policy of the page runs our own files alone'),
    ),
    proven(
      '1.3.3',
      2,
      'Each field has its length and its characters',
      live('unreadable and endless texts are refused by field'),
      tests('src/server/platform/refused-calls.test.ts', 'half of a surrogate pair'),
    ),
    proven(
      '1.3.4',
      2,
      'A picture is never a document with scripts',
      tests('src/server/features/documents/store.test.ts', 'bytes that are no picture are 415'),
    ),
    proven(
      '1.3.6',
      2,
      'Calls to other servers stay off this machine and its network',
      tests(
        'src/server/adapters/outbound-http.test.ts',
        'an address of this machine or network is refused',
        'a public name that leads inside is refused',
        'a redirect is refused',
      ),
    ),
    proven('1.3.10', 2, 'What others send is never a format of the log', source('log messages are constant')),
    proven(
      '1.3.12',
      3,
      'No expression can be made slow',
      tests('src/server/openapi/openapi.test.ts', 'every pattern is one that engines without backtracking read'),
      tests(
        'src/server/adapters/excerpt.test.ts',
        'only 2,000 characters of an answer are read, so that none is slow to read',
      ),
    ),
    proven('1.4.2', 2, 'Numbers beyond their range are refused', live('numbers beyond their range are refused')),
    proven('1.5.2', 2, 'A body cannot set a prototype', live('a body that sets a prototype is refused')),
    proven(
      '1.5.3',
      3,
      'One reader for each format, and no field twice',
      live('a body that gives a field twice is refused'),
    ),
  ],
  notApplicable: [
    { ids: ['1.2.6', '1.2.7', '1.2.8'], reason: 'no LDAP, XPath or LaTeX' },
    { ids: ['1.3.1', '1.3.5'], reason: 'no markup and no stylesheet is taken from others' },
    { ids: ['1.3.7', '1.3.8', '1.3.9', '1.3.11'], reason: 'no templates, JNDI, memcache or mail' },
    { ids: ['1.4.1', '1.4.3'], reason: 'memory is managed by the runtime' },
    { ids: ['1.5.1'], reason: 'XML of bank statements is read without entities: docs/product 10.6' },
  ],
}

/** V2 */
export const businessLogic: Chapter = {
  number: 2,
  title: 'Validation and business logic',
  requirements: [
    proven(
      '2.1.1',
      1,
      'What each field may be is written down',
      tests('src/server/openapi/openapi.test.ts', 'every call of both APIs is in it and nothing else'),
    ),
    proven(
      '2.1.2',
      2,
      'Which fields belong together is written down',
      tests('test/product-docs.test.ts', 'each statement of the page of evidence is proven'),
    ),
    proven(
      '2.1.3',
      2,
      'Limits of the business are written down',
      review('docs/product/14-constants.md', 'all limits with their values'),
    ),
    proven(
      '2.2.1',
      1,
      'What is not expected is refused',
      tests('test/contract-calls.test.ts', 'hostile parameters, queries and bodies are a 4xx that says why'),
    ),
    proven(
      '2.2.2',
      1,
      'The server judges, whatever the page has judged',
      tests('test/contract-calls.test.ts', 'page and limit are digits and nothing else'),
      live('a change without its fields is refused'),
    ),
    proven(
      '2.2.3',
      2,
      'Fields are judged together',
      tests('src/server/features/kyc/decide.test.ts', 'reject needs a reason'),
      tests('src/server/features/orders/moves.test.ts', 'a reason to cancel is not'),
    ),
    proven(
      '2.3.1',
      1,
      'No step can be skipped',
      tests('src/server/platform/kyc-calls.test.ts', 'no call can skip an attempt number'),
      tests('src/server/features/orders/moves.test.ts', 'every other move is 409 with the present state'),
    ),
    proven(
      '2.3.2',
      2,
      'Limits of the business are kept',
      tests('src/server/platform/impossible-history.test.ts', 'calls refuse the same'),
    ),
    proven(
      '2.3.3',
      2,
      'A change happens whole or not at all',
      tests('test/all-or-nothing.test.ts', 'every call of the console that changes anything is among them'),
    ),
    proven(
      '2.3.4',
      2,
      'Of changes at once one wins',
      tests('src/server/features/orders/moves.test.ts', 'of 20 moves at once exactly one wins'),
      tests('src/server/features/kyc/decide.test.ts', 'one of 20 simultaneous decisions with If-Match wins'),
      tests('src/server/features/members/ban.test.ts', 'of 20 bans at once exactly one wins'),
    ),
    proven(
      '2.3.5',
      3,
      'What is of high value can take two operators',
      tests(
        'src/server/features/approvals/approvals.test.ts',
        'nothing changes, and the platform hears nothing, until it is approved',
        'an own request is refused with the reason, by the database too',
      ),
    ),
    proven(
      '2.4.1',
      1,
      'Copying everything is stopped and seen',
      tests('src/server/platform/rate-limit.test.ts', 'calls beyond the rate are 429 with Retry-After'),
      tests('src/server/features/exports/sending.test.ts', 'a third simultaneous export is 429'),
      tests(
        'src/server/features/members/viewers.test.ts',
        'more than 500 members opened in 5 minutes are 429',
        'pages of more than 5,000 members in 5 minutes are 429',
      ),
      tests(
        'src/server/http/daily-reads.test.ts',
        'who has read as many members as the role exports reads no further ones that day',
        'what an operator read on another server counts from the second page on',
      ),
    ),
  ],
}
