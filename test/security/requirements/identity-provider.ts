import { type Chapter, proven, tests } from '#test/security/requirement.ts'

const oidc = (...names: string[]) => tests('src/server/features/oidc/oidc.test.ts', ...names)
const hostile = (...names: string[]) => tests('src/server/features/oidc/hostile.test.ts', ...names)

/** V9 */
export const tokens: Chapter = {
  number: 9,
  title: 'Self-contained tokens',
  requirements: [
    proven(
      '9.1.1',
      1,
      'The signature of an ID token is checked before it is believed',
      hostile('opens nothing, and is a high event'),
    ),
    proven('9.1.2', 1, 'Only algorithms of public keys are taken', hostile('the secret as its key', 'no signature')),
    proven(
      '9.1.3',
      1,
      'Keys come from the provider that is set alone',
      hostile('an unknown key', 'the signature of another key'),
    ),
    proven('9.2.1', 1, 'A token is good for its time', hostile('an end in the past')),
    proven('9.2.2', 2, 'A token counts for what it was made for', hostile('no nonce')),
    proven('9.2.3', 2, 'A token is for this console', hostile('another audience')),
    proven(
      '9.2.4',
      2,
      'A token of several audiences names this console as its party',
      hostile('two audiences without azp'),
    ),
  ],
}

/** V10 */
export const oauth: Chapter = {
  number: 10,
  title: 'OAuth and OpenID Connect',
  requirements: [
    proven('10.1.1', 2, 'Tokens stay in the server', oidc('no token, claim or secret is kept')),
    proven(
      '10.1.2',
      2,
      'An answer counts for the browser that asked, once',
      hostile(
        'a state of another browser, a used one and an old one are over',
        'of several returns with one state one redeems the code',
      ),
    ),
    proven(
      '10.2.1',
      2,
      'No other site can finish a sign-in',
      hostile('the request names what the answer is bound to', 'pages of other sites begin nothing'),
    ),
    proven('10.2.2', 2, 'The answer of another provider redeems no code', hostile('redeems no code')),
    proven('10.5.1', 2, 'An ID token is not taken twice', hostile('another nonce')),
    proven(
      '10.5.2',
      2,
      'A person is known by what the provider never gives to another',
      oidc('an operator of the same name is never taken for the person'),
    ),
    proven('10.5.3', 2, 'The provider is the one that is set', hostile('another issuer')),
    proven('10.5.4', 2, 'An ID token is for this console', hostile('another audience')),
  ],
  notApplicable: [
    { ids: ['10.3.1', '10.3.2', '10.3.3', '10.3.4', '10.3.5'], reason: 'no call takes a token of a provider' },
    {
      ids: [
        '10.4.1',
        '10.4.2',
        '10.4.3',
        '10.4.4',
        '10.4.5',
        '10.4.6',
        '10.4.7',
        '10.4.8',
        '10.4.9',
        '10.4.10',
        '10.4.11',
      ],
      reason: 'the console is not a provider',
    },
    { ids: ['10.5.5'], reason: 'no sign-out by the provider: sessions end by themselves' },
    { ids: ['10.6.1', '10.6.2', '10.7.1', '10.7.2', '10.7.3'], reason: 'the console is not a provider' },
  ],
}
