import { expect, test } from 'vitest'
import { readConfig } from '#server/core/config.ts'
import { findPasskeyProblem, readRelyingParty } from './relying-party.ts'

const read = (environment: Record<string, string>) => readConfig({ ALLOW_INSECURE_HTTP: 'on', ...environment })

test.each([
  [{}, { id: 'localhost', origin: 'http://localhost:3000' }],
  [{ PORT: '8080' }, { id: 'localhost', origin: 'http://localhost:8080' }],
  [{ HOST: '::1' }, { id: 'localhost', origin: 'http://localhost:3000' }],
  [{ PUBLIC_URL: 'https://console.example.com' }, { id: 'console.example.com', origin: 'https://console.example.com' }],
  [
    { PUBLIC_URL: 'https://console.example.com:8443' },
    { id: 'console.example.com', origin: 'https://console.example.com:8443' },
  ],
  [{ PUBLIC_URL: 'http://localhost:5000' }, { id: 'localhost', origin: 'http://localhost:5000' }],
  [{ PUBLIC_URL: 'http://console.example.com' }, null],
  [{ PUBLIC_URL: 'https://192.0.2.7' }, null],
  [{ PUBLIC_URL: 'https://[2001:db8::7]' }, null],
])('the party of %j is %j (product 2.8)', (environment, party) => {
  expect(readRelyingParty(read(environment))).toEqual(party)
})

test.each([
  [{}, 'localhost', null],
  [{}, '127.0.0.1', 'Passkeys can’t be used at this address: open the console at http://localhost:3000'],
  [{}, '[::1]', 'Passkeys can’t be used at this address: open the console at http://localhost:3000'],
  [{ PUBLIC_URL: 'https://console.example.com' }, 'Console.Example.com', null],
  [
    { PUBLIC_URL: 'https://console.example.com' },
    'console',
    'Passkeys can’t be used at this address: open the console at https://console.example.com',
  ],
  [
    { PUBLIC_URL: 'https://192.0.2.7' },
    '192.0.2.7',
    'Passkeys need https and a host name, and PUBLIC_URL has not both',
  ],
])('with %j at %s: %s (product 2.8)', (environment, askedHost, problem) => {
  expect(findPasskeyProblem(read(environment), askedHost)).toBe(problem)
})
