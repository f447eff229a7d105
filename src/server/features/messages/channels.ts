import { alertMails, alertPosts } from './alerts.ts'
import type { Channel } from './channel.ts'
import { kycCases } from './kyc-cases.ts'
import { platformEvents } from './platform-events.ts'

/** All channels. A new destination is a file like these, and a name in the table. */
export const channels: readonly Channel[] = [platformEvents, kycCases, alertMails, alertPosts]

/** SQL over a message: whether nobody waits for it any more. */
export const isClosed = (alias: string): string =>
  `CASE ${alias}.channel ${channels.map((channel) => `WHEN '${channel.name}' THEN ${channel.isClosed(alias)}`).join(' ')} END`
