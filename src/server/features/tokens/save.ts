import { sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { TokenKind } from '#contract/token-kinds.ts'
import type { TokenBody } from '#contract/schemas/tokens.ts'
import { decimalsRange, defaultLogos } from '#contract/tokens.ts'
import { trimText } from '#contract/visible.ts'
import { parseAddress } from '#server/lib/evm-address.ts'
import { auditAll, type AuditEntry } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { tokens } from '#server/db/tables/tokens.ts'
import { writableColumns, insertRows, updateRows, type WrittenRow } from '#server/db/write.ts'
import { AppError, conflict, invalidField } from '#server/lib/errors.ts'
import { omit } from '#server/lib/omit.ts'
import { requestRelabel } from '#server/features/transactions/service.ts'
import { textArray } from '#server/db/parameters.ts'
import { applyChange, applyItems, checkPrecondition, type Outcome, type Precondition } from '#server/core/upsert.ts'

/** Product 6.7: the symbol in upper case. */
export const tidySymbol = (symbol: string): string => trimText(symbol).toUpperCase()

export const tidyLogo = (kind: TokenKind, logo: string | null | undefined): string => logo?.trim() || defaultLogos[kind]

/** Normalises a valid link as browsers do: lower-case scheme and host, no blanks around it. */
export const tidyLink = (link: string | null | undefined): string | null => (link ? new URL(link).href : null)

/** The address in the stored form. Throws invalid for a mixed-case address with a wrong checksum (product 6.7). */
export function tidyAddress(given: string, field = 'contractAddress'): string {
  const address = parseAddress(given)
  if (!address) throw invalidField(field, 'does not match its EIP-55 checksum')
  return address
}

export type TokenItem = { kind: TokenKind; contractAddress: string } & z.output<typeof TokenBody>

/** The platform cannot write what operators or the chain set. */
const changeableColumns = omit(writableColumns(tokens), [
  'kind',
  'contractAddress',
  'activeSetBy',
  'activeSetAt',
  'chainName',
  'chainSymbol',
  'chainDecimals',
  'chainHasCode',
  'chainCheckedAt',
])
const writtenColumns = { kind: tokens.kind, contractAddress: tokens.contractAddress, ...changeableColumns }

/** A token in memory. `id` and `createdAt` are null until it is stored. */
type TokenRow = WrittenRow<typeof writtenColumns> &
  Pick<typeof tokens.$inferSelect, 'isActive' | 'activeSetBy' | 'activeSetAt' | 'version'> & { id: string | null }

/** The fields that transfers copy from their token. */
const labelFields = ['projectName', 'tokenSymbol', 'decimals'] as const
const auditedFields = Object.keys(
  omit(changeableColumns, ['createdAt', 'version']),
) as (keyof typeof changeableColumns)[]
const keyOf = (token: { kind: TokenKind; contractAddress: string }) =>
  `${token.kind}/${token.contractAddress.toLowerCase()}`

/**
 * Creates and updates tokens by kind and address (product 10.2). Refuses a state that differs from an operator's.
 * Writes audit rows of changes. The caller audits creations.
 */
export async function saveTokens(
  tx: Tx,
  ctx: Ctx,
  items: readonly TokenItem[],
  precondition?: Precondition,
): Promise<Outcome[]> {
  const stored = await lockTokens(tx, items)
  const audits: AuditEntry[] = []
  const { outcomes, inserts, updates } = applyItems(items, stored, keyOf, (item, present) => {
    const after = applyItem(item, present)
    if (after instanceof AppError || after === present) return after
    const stale = checkPrecondition('token', precondition, present)
    if (stale || !present) return stale ?? after
    if (present.id !== null) audits.push(buildAuditEntry(present.id, present, after))
    return { ...after, version: present.version + 1 }
  })
  await updateRows(tx, { id: tokens.id }, changeableColumns, updates)
  await insertRows(tx, writtenColumns, inserts, ['kind', 'contractAddress'])
  const relabeled = updates.filter((after) => {
    const before = stored.get(keyOf(after))
    return labelFields.some((label) => before?.[label] !== after[label])
  })
  await requestRelabel(
    tx,
    [...relabeled, ...inserts].map((row) => row.contractAddress),
  )
  await auditAll(tx, ctx, audits)
  return outcomes
}

function applyItem(item: TokenItem, present: TokenRow | undefined): TokenRow | AppError {
  const { kind, decimals, isActive, createdAt } = item
  const contractAddress = parseAddress(item.contractAddress)
  if (!contractAddress) return invalidField('contractAddress', 'does not match its EIP-55 checksum')
  const projectName = trimText(item.projectName)
  if (!projectName) return invalidField('projectName', 'must not be empty')
  const tokenSymbol = tidySymbol(item.tokenSymbol)
  if (!tokenSymbol) return invalidField('tokenSymbol', 'must not be empty')
  const logo = item.logo === undefined ? undefined : tidyLogo(kind, item.logo)
  const projectLink = item.projectLink === undefined ? undefined : tidyLink(item.projectLink)
  if (!present)
    return {
      id: null,
      kind,
      contractAddress,
      projectName,
      tokenSymbol,
      decimals: decimals ?? decimalsRange.preset,
      logo: logo ?? tidyLogo(kind, null),
      projectLink: projectLink ?? null,
      isActive: isActive ?? true,
      activeSetBy: null,
      activeSetAt: null,
      createdAt: createdAt ?? null,
      version: 1,
    }
  if (isActive !== undefined && isActive !== present.isActive && present.activeSetBy !== null)
    return conflict(
      'token_switched',
      `isActive: an operator has switched this token ${present.isActive ? 'on' : 'off'}`,
      { status: present.isActive ? 'active' : 'inactive', by: present.activeSetBy, at: present.activeSetAt },
    )
  return applyChange<TokenRow>(present, {
    projectName,
    tokenSymbol,
    ...(decimals !== undefined && { decimals }),
    ...(logo !== undefined && { logo }),
    ...(projectLink !== undefined && { projectLink }),
    ...(isActive !== undefined && { isActive }),
    ...(createdAt !== undefined && { createdAt }),
  })
}

function buildAuditEntry(id: string, present: TokenRow, after: TokenRow): AuditEntry {
  const fields = auditedFields.filter((field) => present[field] !== after[field])
  const pick = (row: TokenRow) => Object.fromEntries(fields.map((field) => [field, row[field]]))
  return {
    action: 'update_token',
    target: { type: 'token', id },
    details: { kind: present.kind, before: pick(present), after: pick(after) },
  }
}

async function lockTokens(tx: Tx, items: readonly TokenItem[]) {
  const addresses = textArray(items.map((item) => item.contractAddress.toLowerCase()))
  const { id, activeSetBy, activeSetAt } = tokens
  const found = await tx
    .select({ id, activeSetBy, activeSetAt, ...writtenColumns })
    .from(tokens)
    .where(sql`${tokens.contractAddress} = ANY(${addresses})`)
    .orderBy(id)
    .for('no key update')
  return new Map(found.map((row): [string, TokenRow] => [keyOf(row), row]))
}
