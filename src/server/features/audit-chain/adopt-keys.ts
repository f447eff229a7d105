import { existsSync } from 'node:fs'
import { type Config, SettingError } from '#server/core/config.ts'
import type { Services } from '#server/core/context.ts'
import { keyFile, readSigningKeys } from '#server/core/signing-keys.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Tx } from '#server/db/client.ts'
import { auditKeys } from '#server/db/tables/security.ts'
import { signStoredMessages } from '#server/features/messages/service.ts'
import { checkpointFile } from './checkpoints.ts'

/** The key that signs, and how many stored messages it signed when it was adopted. */
export interface Adoption {
  id: string
  isNew: boolean
  signed: number
}

/**
 * Notes in the database which key signs. The first one ever also signs the messages that were written before there were
 * keys, so that they still go out. Throws SettingError if only other keys have signed, because then this server could
 * neither go on with the chain nor send what waits. `say` informs the operator.
 */
export const adoptKeys = (services: Services, say: (line: string) => void): Promise<Adoption> =>
  adopt(
    services,
    (known) => {
      const { config } = services
      const keys = readSigningKeys(config)
      if (known.length === 0) return isFirstStart(config)
      if (keys.some(({ id }) => known.includes(id))) return false
      const where = config.auditKeys.length > 0 ? 'AUDIT_KEY' : keyFile(config.dataDir)
      throw new SettingError(
        `the database is signed with the key ${known.at(-1)}, and ${where} holds another one: put that key there, or give it ` +
          'up with: npm run admin -- audit new-key',
      )
    },
    say,
  )

/** Lets the present key go on where all keys before it are lost, and vouches for the messages that it finds. */
export const replaceKey = (services: Services): Promise<Adoption> => adopt(services, () => true)

/** A database without any key, beside checkpoints of an earlier one, may be meant to get forged messages signed. */
const isFirstStart = (config: Config) => !existsSync(checkpointFile(config))

const adopt = (
  services: Services,
  signsStored: (known: string[]) => boolean,
  say: (line: string) => void = () => {},
): Promise<Adoption> =>
  services.database.transaction(async (tx) => {
    const keys = readSigningKeys(services.config)
    const { id } = keys[0]!
    await lockInTransaction(tx, 'audit keys')
    const known = await readKnownKeys(tx)
    if (known.includes(id)) return { id, isNew: false, signed: 0 }
    const signed = signsStored(known)
      ? await signStoredMessages(
          tx,
          services,
          keys.map((key) => key.id),
          say,
        )
      : 0
    await tx.insert(auditKeys).values({ keyId: id })
    return { id, isNew: true, signed }
  })

const readKnownKeys = async (tx: Tx): Promise<string[]> =>
  (await tx.select({ id: auditKeys.keyId }).from(auditKeys).orderBy(auditKeys.firstUsedAt)).map(({ id }) => id)
