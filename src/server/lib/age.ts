import { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'

/** A file cannot be decrypted: another key, changed bytes, or an end that is missing. */
export class AgeError extends Error {}

/** Makes a key pair: who has the recipient encrypts, who has the identity decrypts. */
export async function generateAgeKey(): Promise<{ recipient: string; identity: string }> {
  const identity = await generateX25519Identity()
  return { recipient: await identityToRecipient(identity), identity }
}

function isAccepted(add: () => void): boolean {
  try {
    add()
    return true
  } catch {
    return false
  }
}

/** Keys of hardware are left out, since nothing here could decrypt with them. */
export const isAgeRecipient = (text: string): boolean =>
  /^age1[^1]+$/.test(text) && isAccepted(() => new Encrypter().addRecipient(text))
export const isAgeIdentity = (text: string): boolean =>
  /^AGE-SECRET-KEY-1[^1]+$/.test(text) && isAccepted(() => new Decrypter().addIdentity(text))

/** The types of streams for browsers and for Node differ. */
const toStream = (source: AsyncIterable<Uint8Array>) =>
  ReadableStream.from(source) as unknown as globalThis.ReadableStream<Uint8Array>

async function* toBuffers(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

/** Encrypts a stream for these recipients, each of whom can decrypt it. */
export async function* encryptAge(
  source: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Buffer> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  yield* toBuffers(await encrypter.encrypt(toStream(source)))
}

/** Decrypts a stream, and yields no byte that is not authentic. Throws AgeError, or what the source throws. */
export async function* decryptAge(
  source: AsyncIterable<Uint8Array>,
  identities: readonly string[],
): AsyncGenerator<Buffer> {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  let failure: { error: unknown } | undefined
  async function* readSource() {
    try {
      yield* source
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  try {
    yield* toBuffers(await decrypter.decrypt(toStream(readSource())))
  } catch (error) {
    throw failure ? failure.error : new AgeError(describeFailure(error))
  }
}

function describeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (message.startsWith('no identity matched')) return 'none of the given keys opens it'
  return message.startsWith('invalid version') ? 'it is not a file of age' : 'it is changed or cut off'
}
