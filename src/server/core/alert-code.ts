import { alertCodeDigits } from '#contract/alerts.ts'
import type { Services } from './context.ts'
import { computeMac, readSigningKeys } from './signing-keys.ts'

/** What a code proves: that who enters it has read the e-mail that went to this address then. */
export interface AlertCodeFacts {
  adminId: string
  address: string
  /** ISO 8601. */
  sentAt: string
}

/**
 * The codes of an e-mail address, one for each signing key; the first is sent. They are computed, so that neither the
 * database nor the log of messages holds one.
 */
export const computeAlertCodes = (
  { config }: Pick<Services, 'config'>,
  { adminId, address, sentAt }: AlertCodeFacts,
): string[] =>
  readSigningKeys(config).map((key) => {
    const mac = computeMac(key, 'alert code', [adminId, address, sentAt])
    return String(mac.readBigUInt64BE() % 10n ** BigInt(alertCodeDigits)).padStart(alertCodeDigits, '0')
  })
