import { type Chapter, proven, review, source, tests } from '#test/security/requirement.ts'

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
      tests('src/server/features/auth/auth.test.ts', 'a password hashed with older parameters is hashed again'),
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
