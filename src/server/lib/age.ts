import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { decodeBech32, encodeBech32 } from './bech32.ts'

/*
 * Files of age (age-encryption.org/v1) for X25519 keys: a header that wraps the file's key for each recipient, and the bytes in
 * chunks of 64 KiB, each authenticated with its number and whether it is the last one.
 */

/** A file cannot be decrypted: another key, changed bytes, or an end that is missing. */
export class AgeError extends Error {}

const intro = 'age-encryption.org/v1'
const chunkBytes = 64 * 1024
const tagBytes = 16
const fileKeyBytes = 16
const nonceBytes = 16
/** More is no header of ours. */
const mostHeaderBytes = 64 * 1024

const derive = (key: Buffer, salt: Buffer, info: string) => Buffer.from(hkdfSync('sha256', key, salt, info, 32))
const encode = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

// The bytes of an X25519 key stand behind these in its DER form.
const publicLead = Buffer.from('302a300506032b656e032100', 'hex')
const privateLead = Buffer.from('302e020100300506032b656e04220420', 'hex')
const readPublic = (bytes: Buffer) =>
  createPublicKey({ key: Buffer.concat([publicLead, bytes]), format: 'der', type: 'spki' })
const publicBytes = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).subarray(publicLead.length)

const identityPrefix = 'age-secret-key-'

/** Makes a key pair: who has the recipient encrypts, who has the identity decrypts. */
export function generateAgeKey(): { recipient: string; identity: string } {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(privateLead.length)
  return {
    recipient: encodeBech32('age', publicBytes(publicKey)),
    identity: encodeBech32(identityPrefix, secret).toUpperCase(),
  }
}

export const isAgeRecipient = (text: string): boolean => decodeBech32('age', text)?.length === 32
export const isAgeIdentity = (text: string): boolean => decodeBech32(identityPrefix, text)?.length === 32

/** The key of one chunk's place. */
function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(chunk, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

function seal(key: Buffer, nonce: Buffer, bytes: Buffer): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes })
  return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** Undefined if the bytes are not authentic. */
function open(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | undefined {
  if (sealed.length < tagBytes) return undefined
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()])
  } catch {
    return undefined
  }
}

function wrapKey(recipient: string, fileKey: Buffer): string {
  const theirs = decodeBech32('age', recipient)!
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const share = publicBytes(publicKey)
  const shared = diffieHellman({ privateKey, publicKey: readPublic(theirs) })
  const wrapping = derive(shared, Buffer.concat([share, theirs]), `${intro}/X25519`)
  return `-> X25519 ${encode(share)}\n${encode(seal(wrapping, Buffer.alloc(12), fileKey))}\n`
}

const computeHeaderMac = (fileKey: Buffer, header: string) =>
  createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(header)
    .digest()

/** Encrypts a stream for these recipients, each of whom can decrypt it. */
export async function* encryptAge(
  source: AsyncIterable<Buffer>,
  recipients: readonly string[],
): AsyncGenerator<Buffer> {
  const fileKey = randomBytes(fileKeyBytes)
  const nonce = randomBytes(nonceBytes)
  const header = `${intro}\n${recipients.map((each) => wrapKey(each, fileKey)).join('')}---`
  yield Buffer.from(`${header} ${encode(computeHeaderMac(fileKey, header))}\n`)
  yield nonce
  const key = derive(fileKey, nonce, 'payload')
  let chunk = 0
  for await (const { bytes, isLast } of cutChunks(source, chunkBytes)) yield seal(key, nonceOf(chunk++, isLast), bytes)
}

/** The bytes in chunks of one size; the last one is shorter. An empty source is one empty chunk. */
async function* cutChunks(source: AsyncIterable<Buffer>, size: number) {
  let held: Buffer[] = []
  let length = 0
  for await (const piece of source) {
    held.push(piece)
    length += piece.length
    // A full chunk may be the last one, so it waits for another byte.
    if (length <= size) continue
    const all = Buffer.concat(held)
    let at = 0
    for (; all.length - at > size; at += size) yield { bytes: all.subarray(at, at + size), isLast: false }
    held = [all.subarray(at)]
    length = all.length - at
  }
  yield { bytes: Buffer.concat(held), isLast: true }
}

interface Identity {
  key: KeyObject
  recipient: Buffer
}

function readIdentity(text: string): Identity {
  const secret = decodeBech32(identityPrefix, text)!
  const key = createPrivateKey({ key: Buffer.concat([privateLead, secret]), format: 'der', type: 'pkcs8' })
  return { key, recipient: publicBytes(createPublicKey(key)) }
}

/** The file's key, if one of the identities opens one of the header's stanzas. */
function unwrapKey(header: string, identities: readonly string[]): Buffer | undefined {
  const stanzas = [...header.matchAll(/^-> X25519 ([A-Za-z0-9+/]{43})\n([A-Za-z0-9+/]{43})$/gm)]
  for (const { key, recipient } of identities.map(readIdentity))
    for (const [, share, wrapped] of stanzas) {
      const theirs = Buffer.from(share!, 'base64')
      const shared = diffieHellman({ privateKey: key, publicKey: readPublic(theirs) })
      const wrapping = derive(shared, Buffer.concat([theirs, recipient]), `${intro}/X25519`)
      const fileKey = open(wrapping, Buffer.alloc(12), Buffer.from(wrapped!, 'base64'))
      if (fileKey?.length === fileKeyBytes) return fileKey
    }
  return undefined
}

/** Decrypts a stream, and yields no byte that is not authentic. Throws AgeError. */
export async function* decryptAge(
  source: AsyncIterable<Buffer>,
  identities: readonly string[],
): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]()
  const { header, mac, rest } = await readHeader(pieces)
  const fileKey = unwrapKey(header, identities)
  if (!fileKey) throw new AgeError('none of the given keys opens it')
  if (!isSame(computeHeaderMac(fileKey, header), mac)) throw new AgeError('its header was changed')
  const start = await readAtLeast(pieces, rest, nonceBytes)
  if (start.length < nonceBytes) throw new AgeError('it is cut off')
  const key = derive(fileKey, start.subarray(0, nonceBytes), 'payload')
  let chunk = 0
  for await (const { bytes, isLast } of cutChunks(follow(start.subarray(nonceBytes), pieces), chunkBytes + tagBytes)) {
    const opened = open(key, nonceOf(chunk, isLast), bytes)
    if (!opened) throw new AgeError(isLast ? 'it is changed or cut off' : 'it is changed')
    if (opened.length === 0 && chunk > 0) throw new AgeError('it is changed')
    chunk++
    yield opened
  }
}

const isSame = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)

async function readAtLeast(pieces: AsyncIterator<Buffer>, begun: Buffer, bytes: number): Promise<Buffer> {
  let all = begun
  while (all.length < bytes) {
    const next = await pieces.next()
    if (next.done) break
    all = Buffer.concat([all, next.value])
  }
  return all
}

async function readHeader(pieces: AsyncIterator<Buffer>) {
  let all: Buffer = Buffer.alloc(0)
  for (;;) {
    const found = /^age-encryption\.org\/v1\n[^]*?\n--- ([A-Za-z0-9+/]{43})\n/.exec(
      all.toString('latin1', 0, mostHeaderBytes),
    )
    if (found) {
      const header = found[0].slice(0, -45)
      return { header, mac: Buffer.from(found[1]!, 'base64'), rest: all.subarray(found[0].length) }
    }
    const before = all.length
    if (before < mostHeaderBytes) all = await readAtLeast(pieces, all, before + 1)
    if (all.length === before) throw new AgeError('it is no file of age')
  }
}

async function* follow(first: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
}
