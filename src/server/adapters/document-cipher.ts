import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { sha256 } from '#server/lib/hash.ts'

export const fileKinds = ['picture', 'statement'] as const
export type FileKind = (typeof fileKinds)[number]

/** What a file is: its kind and the SHA-256 of its bytes, in hexadecimal. */
export interface DocumentId {
  kind: FileKind
  sha256: string
}

/** A key that wraps the keys of files. Names and wrapping have subkeys of their own. */
export interface DocumentKey {
  /** Names the key and does not reveal it. */
  id: string
  wrapping: Buffer
  naming: Buffer
}

/** A stored file is not what was stored: changed, cut off, in another one's place, or without its key. */
export class DamagedFileError extends Error {}

/*
 * Version 1 of an encrypted file, in this order:
 *   magic 4, version 1, key id 8                       plain
 *   wrap IV 12, wrap tag 16, wrapped 65                the file's own key 32, SHA-256 32 and kind 1; bound to what is above
 *   IV 12, tag 16, ciphertext                          the bytes; bound to SHA-256 and kind
 */
const magic = Buffer.from('BOF\x01')
const version = 1
const ivBytes = 12
const tagBytes = 16
const dataKeyBytes = 32
const wrappedBytes = dataKeyBytes + 32 + 1
const keyIdAt = magic.length + 1
const wrapAt = keyIdAt + 8
const bodyAt = wrapAt + ivBytes + tagBytes + wrappedBytes
/** The bytes before the ciphertext. */
export const headerBytes = bodyAt + ivBytes + tagBytes

const derive = (secret: Buffer, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `back-office documents ${purpose}`, 32))

/** The key of 32 random bytes, with its id and subkeys. */
export const readDocumentKey = (secret: Buffer): DocumentKey => ({
  id: sha256(Buffer.concat([Buffer.from('document key'), secret]))
    .toString('hex')
    .slice(0, 16),
  wrapping: derive(secret, 'wrapping'),
  naming: derive(secret, 'naming'),
})

/** The name of a file under a key. Without the key nobody can tell which picture it is. */
export const nameFile = (key: DocumentKey, { kind, sha256 }: DocumentId): string =>
  createHmac('sha256', key.naming).update(`${kind}/${sha256}`).digest('hex')

/** What one step encrypts: of a large file the ciphertext is then held once. */
const pieceBytes = 64 * 1024

/** IV, tag and ciphertext, behind `start`. In GCM the ciphertext is as long as the bytes. */
function encryptPart(key: Buffer, bytes: Buffer, bound: Buffer, start: Buffer): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(bound)
  const tagAt = start.length + ivBytes
  const part = Buffer.alloc(tagAt + tagBytes + bytes.length)
  start.copy(part)
  iv.copy(part, start.length)
  for (let at = 0; at < bytes.length; at += pieceBytes)
    cipher.update(bytes.subarray(at, at + pieceBytes)).copy(part, tagAt + tagBytes + at)
  cipher.final()
  cipher.getAuthTag().copy(part, tagAt)
  return part
}

/** Throws DamagedFileError before it returns a byte that is not authentic. */
function decryptPart(key: Buffer, part: Buffer, bound: Buffer): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, part.subarray(0, ivBytes), { authTagLength: tagBytes })
      .setAAD(bound)
      .setAuthTag(part.subarray(ivBytes, ivBytes + tagBytes))
    const bytes = decipher.update(part.subarray(ivBytes + tagBytes))
    decipher.final()
    return bytes
  } catch (error) {
    throw new DamagedFileError('its bytes are not those that were stored', { cause: error })
  }
}

const describeBytes = ({ kind, sha256 }: DocumentId) =>
  Buffer.concat([Buffer.from(sha256, 'hex'), Buffer.from([fileKinds.indexOf(kind)])])

const startOf = (key: DocumentKey) => Buffer.concat([magic, Buffer.from([version]), Buffer.from(key.id, 'hex')])

const wrap = (key: DocumentKey, content: Buffer) => encryptPart(key.wrapping, content, startOf(key), startOf(key))

/** Encrypts a file with a key of its own, which `key` wraps. */
export function encryptFile(key: DocumentKey, id: DocumentId, bytes: Buffer): Buffer {
  const dataKey = randomBytes(dataKeyBytes)
  const about = describeBytes(id)
  return encryptPart(dataKey, bytes, about, wrap(key, Buffer.concat([dataKey, about])))
}

/** Whether the bytes begin as an encrypted file does. */
export const isEncrypted = (bytes: Buffer): boolean => bytes.subarray(0, magic.length).equals(magic)

export interface FileHeader {
  keyId: string
  id: DocumentId
}

interface OpenHeader extends FileHeader {
  content: Buffer
  about: Buffer
}

/** The id of the key that an encrypted file needs. */
export const readKeyId = (bytes: Buffer): string => bytes.subarray(keyIdAt, wrapAt).toString('hex')

function openHeader(keys: readonly DocumentKey[], bytes: Buffer): OpenHeader {
  if (bytes.length < headerBytes || !isEncrypted(bytes)) throw new DamagedFileError('it has no header')
  if (bytes[magic.length] !== version) throw new DamagedFileError('its header is of another version')
  const keyId = readKeyId(bytes)
  const key = keys.find((each) => each.id === keyId)
  if (!key) throw new DamagedFileError(`it needs the key ${keyId}, which is not here`)
  const content = decryptPart(key.wrapping, bytes.subarray(wrapAt, bodyAt), bytes.subarray(0, wrapAt))
  const about = content.subarray(dataKeyBytes)
  const kind = fileKinds[about.at(-1)!]
  if (!kind) throw new DamagedFileError('its kind is unknown')
  return { keyId, content, about, id: { kind, sha256: about.subarray(0, -1).toString('hex') } }
}

/** What an encrypted file is, by its header alone. Throws DamagedFileError. */
export function readHeader(keys: readonly DocumentKey[], bytes: Buffer): FileHeader {
  const { keyId, id } = openHeader(keys, bytes)
  return { keyId, id }
}

/** The bytes of an encrypted file. Throws DamagedFileError, also where it is another file than the one asked for. */
export function decryptFile(keys: readonly DocumentKey[], id: DocumentId, bytes: Buffer): Buffer {
  const header = openHeader(keys, bytes)
  if (header.id.kind !== id.kind || header.id.sha256 !== id.sha256)
    throw new DamagedFileError('it is another file under the same name')
  return decryptPart(header.content.subarray(0, dataKeyBytes), bytes.subarray(bodyAt), header.about)
}

/** The same file with its key wrapped by another one. The ciphertext stays as it is. */
export function rewrapFile(keys: readonly DocumentKey[], to: DocumentKey, bytes: Buffer): Buffer {
  const { content } = openHeader(keys, bytes)
  return Buffer.concat([wrap(to, content), bytes.subarray(bodyAt)])
}
