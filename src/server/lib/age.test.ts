import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { decryptAge, encryptAge, generateAgeKey, isAgeIdentity, isAgeRecipient } from './age.ts'

const encrypt = (bytes: Buffer, ...recipients: string[]) =>
  buffer(Readable.from(encryptAge(Readable.from([bytes]), recipients)))
const decrypt = (bytes: Buffer, ...identities: string[]) =>
  buffer(Readable.from(decryptAge(Readable.from([bytes]), identities)))

/** Made by `age` 1.1.1, with a key of `age-keygen`. */
const known = {
  recipient: 'age1hec38a3wjl8se2z5wwgurwsr5knsl8a5gg4crvm7ezy3tvkfzctqh028th',
  identity: 'AGE-SECRET-KEY-1FLT4LXEVDKN6RF0YE2D0TYXSV5SCTXPG6SZ2EPT5W45H4ZQEJCGS6V30VY',
  file: 'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSAwdlhuNU91WlRHL04vVDBNUHJoZ09pQTU3enp0eHBVc2FIVU9MZzJiSEVjCmREZXNoMkY4V0haTE1qazY2YWRLdU5zaXozY2hhM1VvK0YvYy8vUlh3aXMKLS0tIEdWN3NJeGcyZVRybkMyakNYZ1o2aGdxY0IrNlowSG1JVWVHZUtzb0djb3MKTVNvsh607c4F1GEFu6hYIquV8DiF/+EW7mWCClVBjecWnRni0zQP2ZY7lACFBLWcJ72Ucv+n1uAB',
}

test('a file that age itself has made is decrypted', async () => {
  expect([isAgeRecipient(known.recipient), isAgeIdentity(known.identity)]).toEqual([true, true])
  const opened = await decrypt(Buffer.from(known.file, 'base64'), known.identity)
  expect(opened.toString()).toBe('seven members, two orders')
  const own = await encrypt(Buffer.from('own'), known.recipient)
  expect((await decrypt(own, known.identity)).toString()).toBe('own')
})

test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 300_000])('%i bytes come back as they were', async (length) => {
  const [first, second] = [await generateAgeKey(), await generateAgeKey()]
  const bytes = randomBytes(length)
  const file = await encrypt(bytes, first.recipient, second.recipient)
  for (const { identity } of [first, second]) expect((await decrypt(file, identity)).equals(bytes)).toBe(true)
  await expect(decrypt(file, (await generateAgeKey()).identity)).rejects.toThrow('none of the given keys opens it')
})

test('a file comes back in whatever pieces it is read', async () => {
  const { recipient, identity } = await generateAgeKey()
  const bytes = randomBytes(70_000)
  const file = await encrypt(bytes, recipient)
  const pieces = Array.from({ length: file.length }, (_, at) => file.subarray(at, at + 1))
  const opened = await buffer(Readable.from(decryptAge(Readable.from(pieces), [identity])))
  expect(opened.equals(bytes)).toBe(true)
})

test('no byte may be changed, added or missing', async () => {
  const { recipient, identity } = await generateAgeKey()
  const file = await encrypt(randomBytes(140_000), recipient)
  const headerEnd = file.indexOf('\n--- ') + 49
  const places = [3, 30, 80, headerEnd - 10, headerEnd + 3, headerEnd + 16, headerEnd + 70_000, file.length - 1]
  for (const at of places) {
    const changed = Buffer.from(file)
    changed[at]! ^= 1
    await expect(decrypt(changed, identity), String(at)).rejects.toThrow(/changed|not a file of age|opens it/)
  }
  const chunk = 65_536 + 16
  for (const end of [10, headerEnd, headerEnd + 10, headerEnd + 16, headerEnd + 16 + chunk, file.length - 1])
    await expect(decrypt(file.subarray(0, end), identity), String(end)).rejects.toThrow(
      /cut off|changed|not a file of age/,
    )
  await expect(decrypt(Buffer.concat([file, Buffer.alloc(1)]), identity)).rejects.toThrow('changed')
  const body = headerEnd + 16
  const swapped = [
    file.subarray(0, body),
    file.subarray(body + chunk, body + 2 * chunk),
    file.subarray(body, body + chunk),
  ]
  await expect(decrypt(Buffer.concat([...swapped, file.subarray(body + 2 * chunk)]), identity)).rejects.toThrow(
    'changed',
  )
})

test('a mistyped key is not one', () => {
  const { recipient, identity } = known
  expect(isAgeRecipient(recipient.replace('hec3', 'hec4'))).toBe(false)
  expect(isAgeRecipient(recipient.toUpperCase())).toBe(false)
  expect(isAgeRecipient(`A${recipient.slice(1)}`)).toBe(false)
  expect(isAgeRecipient(identity)).toBe(false)
  expect(isAgeIdentity(identity.slice(0, -1))).toBe(false)
  expect([isAgeRecipient(''), isAgeRecipient('age1'), isAgeIdentity('AGE-SECRET-KEY-1')]).toEqual([false, false, false])
})
