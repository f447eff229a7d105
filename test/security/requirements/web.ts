import { type Chapter, deviation, live, proven, review, source, tests } from '#test/security/requirement.ts'

/** V3 */
export const webFrontend: Chapter = {
  number: 3,
  title: 'Web frontend',
  requirements: [
    proven('3.2.1', 1, 'An answer of a call opened as a page runs nothing', live('calls forbid everything as a page')),
    proven(
      '3.2.2',
      1,
      'Text goes into the page as text',
      live('the policy of the page runs our own files alone'),
      tests('test/e2e/hostile-texts.e2e.ts', 'runs nothing that a text of others holds'),
    ),
    proven(
      '3.3.1',
      1,
      'Cookies are Secure over https, with their prefix',
      live('cookies are bound to their purpose'),
      tests('src/server/features/auth/auth.test.ts', 'over https the cookies are Secure and bound to the host'),
    ),
    proven('3.3.2', 2, 'Cookies have the SameSite of their purpose', live('cookies are bound to their purpose')),
    proven(
      '3.3.3',
      2,
      'Cookies over https are those of one host',
      tests('src/server/features/auth/auth.test.ts', 'over https the cookies are Secure and bound to the host'),
    ),
    proven(
      '3.3.4',
      2,
      'The token of a session is in its cookie alone',
      live('cookies are bound to their purpose', 'the token of a session is in its cookie alone'),
    ),
    proven('3.3.5', 3, 'Cookies are short', live('cookies are bound to their purpose')),
    proven(
      '3.4.1',
      1,
      'Over https every reply says to stay there',
      live('over https every reply says to stay there'),
      tests(
        'test/headers.test.ts',
        'over https every reply tells the browser to stay there',
        'over https what never becomes a request carries HSTS too',
      ),
    ),
    proven('3.4.2', 1, 'No other origin may read answers', live('no other origin may read answers')),
    proven(
      '3.4.3',
      2,
      'The policy allows no plug-ins and no other base',
      live('the policy of the page runs our own files alone'),
    ),
    proven(
      '3.4.4',
      2,
      'Every reply forbids guessing its type',
      live('every reply carries the security headers'),
      tests('test/headers.test.ts', 'carries every security header'),
    ),
    proven('3.4.5', 2, 'No address leaves as a referrer', live('every reply carries the security headers')),
    proven('3.4.6', 2, 'No page is framed', live('every reply carries the security headers')),
    proven(
      '3.4.7',
      3,
      'Browsers report breaches of the policy',
      deviation(
        'docs/security.md',
        'the policy has no exception that could be breached unseen: a report would name nothing that a test does not',
      ),
    ),
    proven(
      '3.4.8',
      3,
      'A page shares its group with no other origin',
      live('every reply carries the security headers'),
    ),
    proven(
      '3.5.1',
      1,
      'Changes that other sites ask for are refused',
      live('changes that another site asks for are refused'),
    ),
    proven('3.5.2', 1, 'A change takes no body that a form can send', live('bodies of forms are refused')),
    proven('3.5.3', 1, 'Reading changes nothing', live('no change is made by GET')),
    proven(
      '3.5.4',
      2,
      'The console has a host name of its own',
      review('docs/operating.md', 'a host name of its own, where nothing else is served'),
    ),
    proven('3.5.6', 3, 'No call answers a script', live('calls answer JSON, whatever callback is named')),
    proven('3.5.7', 3, 'No script holds data', live('a page holds no inline script')),
    proven(
      '3.5.8',
      3,
      'Pictures are sent to our own pages alone',
      live('every reply carries the security headers'),
      tests('src/server/features/documents/tokens.test.ts', 'T8: a token of another session is 404'),
    ),
    proven(
      '3.6.1',
      3,
      'Nothing is loaded from elsewhere',
      live('a page loads its own files alone'),
      tests('test/e2e/hostile-texts.e2e.ts', 'runs nothing that a text of others holds'),
    ),
    proven('3.7.1', 2, 'No technology that browsers have dropped', source('the page uses no dropped technology')),
    proven('3.7.2', 2, 'The server leads to no other site', live('no address leads to another site')),
    proven(
      '3.7.3',
      3,
      'A link to another site is told before it is followed',
      deviation('docs/security.md', 'a link that leaves carries a sign, and asks nothing before'),
    ),
  ],
  notApplicable: [{ ids: ['3.5.5'], reason: 'no postMessage' }],
}

/** V4 */
export const api: Chapter = {
  number: 4,
  title: 'API and web service',
  requirements: [
    proven(
      '4.1.1',
      1,
      'Every body names its type and character set',
      live('every body names its type'),
      tests('test/headers.test.ts', 'every file of the pages names its character set'),
    ),
    proven('4.1.2', 2, 'Calls are never led from http to https', live('calls are answered without a redirect')),
    proven(
      '4.1.3',
      2,
      'Headers of a proxy count from a trusted proxy alone',
      tests('src/server/core/config.test.ts', 'X-Forwarded-For is believed from a trusted proxy, and from nobody else'),
    ),
    proven(
      '4.1.4',
      3,
      'Methods that a call does not take are refused',
      live('methods that are not served are refused'),
      tests('test/methods.test.ts', 'an unknown address is 404 by any method'),
    ),
    proven(
      '4.1.5',
      3,
      'Messages to other systems are signed one by one',
      tests('src/server/jobs/send-events.test.ts', 'npm standardwebhooks verifies our signatures'),
    ),
    proven('4.2.1', 2, 'A request has one length', live('a request with two lengths is refused')),
    proven('4.2.4', 3, 'A header holds no line break', live('a header with a line break is refused')),
    proven(
      '4.2.5',
      3,
      'Addresses that are asked are bounded',
      tests('src/server/core/config.test.ts', 'stops the start with one line that names the setting'),
    ),
  ],
  notApplicable: [
    { ids: ['4.3.1', '4.3.2'], reason: 'no GraphQL' },
    { ids: ['4.4.1', '4.4.2', '4.4.3', '4.4.4'], reason: 'no WebSocket: lists are announced by an event stream' },
  ],
}

/** V5 */
export const files: Chapter = {
  number: 5,
  title: 'Files',
  requirements: [
    proven(
      '5.1.1',
      2,
      'Which files are taken is written down',
      review('docs/security.md', 'Documents and Bank statements: kinds, sizes, what becomes of them'),
    ),
    proven(
      '5.2.1',
      1,
      'Files have a largest size',
      tests('src/server/platform/uploads.test.ts', 'a body of more than 10 MB is 413'),
      tests('src/server/platform/statements.test.ts', 'a statement file above 50 MB is refused'),
      live('a large body is refused'),
    ),
    proven(
      '5.2.2',
      1,
      'A file is judged by its bytes',
      tests(
        'src/server/features/documents/store.test.ts',
        'bytes that are no picture are 415, whatever they are called',
      ),
    ),
    proven(
      '5.2.4',
      3,
      'Nobody fills the store: each user has a quota',
      deviation('docs/security.md', 'files come from the platform alone, whose keys have a rate and a queue'),
      tests('src/server/platform/uploads.test.ts', 'uploads beyond the queue are 503 at once'),
    ),
    proven(
      '5.2.6',
      3,
      'Pictures have a largest number of pixels',
      tests(
        'src/server/features/documents/store.test.ts',
        'more than 10 MB or 40 megapixels is 413, told without decoding',
      ),
    ),
    proven(
      '5.3.1',
      1,
      'What was sent is never run',
      tests('src/server/features/documents/store.test.ts', 'JPEG, PNG and WebP are kept as JPEG without metadata'),
      live('files beside the pages are not served'),
    ),
    proven(
      '5.3.2',
      1,
      'No path of a file comes from others',
      tests('src/server/features/documents/tokens.test.ts', 'a body that names no document is 400'),
      live('files beside the pages are not served'),
    ),
    proven(
      '5.4.1',
      2,
      'The name of a file that is sent is ours',
      tests('src/server/features/exports/exports.test.ts', 'users are exported newest first'),
    ),
    proven(
      '5.4.2',
      2,
      'The name of a file is written so that no browser misreads it',
      tests(
        'src/server/features/bank/statements/import.test.ts',
        'the file is kept as it came, and each view of it is audited',
      ),
    ),
    proven(
      '5.4.3',
      2,
      'Files are searched for malware',
      deviation(
        'docs/security.md',
        'pictures are re-encoded, so that what is shown is never what was sent; scanning belongs to the deployment',
      ),
    ),
  ],
  notApplicable: [{ ids: ['5.2.3'], reason: 'packed files: the zip of statements is bounded, see docs/security.md' }],
}
