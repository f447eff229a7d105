import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '#server/core/config.ts'
import { sha256 } from '#server/lib/hash.ts'
import { readKeyFile } from '#server/lib/key-file.ts'

/** A seed as the database holds it. */
export interface SealedSeed {
  /** Nonce, tag and ciphertext of AES-256-GCM. */
  secretEnc: Buffer
  keyId: string
}

const nonceBytes = 12
const tagBytes = 16
const algorithm = 'aes-256-gcm'

/** The key of seeds: the setting TOTP_KEY, or a file outside the database. */
async function readSeedKey({ totpKey, dataDir }: Config) {
  const key = totpKey ?? (await readKeyFile(join(dataDir, 'keys', 'totp')))
  return { key, keyId: sha256(key).toString('hex').slice(0, 16) }
}

/** What a seed is bound to: in the row of another admin it can't be read. */
const describeOwner = (adminId: string) => Buffer.from(`totp seed of admin ${adminId}`)

/** Encrypts the seed of an authenticator app. */
export async function sealSeed(config: Config, adminId: string, seed: Uint8Array): Promise<SealedSeed> {
  const { key, keyId } = await readSeedKey(config)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(describeOwner(adminId))
  const ciphertext = Buffer.concat([cipher.update(seed), cipher.final()])
  return { secretEnc: Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]), keyId }
}

/** Decrypts a seed. Throws if it was changed, is another admin's, or was encrypted with another key. */
export async function openSeed(config: Config, adminId: string, { secretEnc, keyId }: SealedSeed): Promise<Buffer> {
  const present = await readSeedKey(config)
  if (keyId !== present.keyId)
    throw new Error(
      `A seed of admin ${adminId} needs the key ${keyId}; TOTP_KEY or DATA_DIR/keys/totp is ${present.keyId}`,
    )
  const tagEnd = nonceBytes + tagBytes
  const nonce = secretEnc.subarray(0, nonceBytes)
  const decipher = createDecipheriv(algorithm, present.key, nonce, { authTagLength: tagBytes })
    .setAAD(describeOwner(adminId))
    .setAuthTag(secretEnc.subarray(nonceBytes, tagEnd))
  return Buffer.concat([decipher.update(secretEnc.subarray(tagEnd)), decipher.final()])
}
