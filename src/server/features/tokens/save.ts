import { sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { TokenKind } from '#contract/token-kinds.ts'
import type { TokenBody } from '#contract/schemas/tokens.ts'
import { decimalsRange } from '#contract/tokens.ts'
import { trimText } from '#contract/visible.ts'
import { parseAddress } from '#server/lib/evm-address.ts'
import { auditAll, type AuditEntry } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { AppError, conflict, invalidField } from '#server/lib/errors.ts'
import { relabelTransfers } from '#server/features/transactions/service.ts'
import {
  changed,
  insertRows,
  play,
  recordset,
  staleChange,
  textArray,
  type Outcome,
  type Precondition,
} from '#server/core/upsert.ts'
import { tidyLink, tidyLogo, tidySymbol } from './tidy.ts'

export type TokenItem = { kind: TokenKind; contractAddress: string } & z.output<typeof TokenBody>

type TokenRow = {
  /** Null until the database has given one. */
  id: string | null
  kind: TokenKind
  contractAddress: string
  projectName: string
  tokenSymbol: string
  decimals: number
  logo: string
  projectLink: string | null
  isActive: boolean
  activeSetBy: string | null
  activeSetAt: string | null
  createdAt: string | null
  version: number
}

/** What transfers show of their token. */
const labels = ['projectName', 'tokenSymbol', 'decimals'] as const
const auditedFields = ['projectName', 'tokenSymbol', 'decimals', 'logo', 'projectLink', 'isActive'] as const
const keyOf = (token: { kind: TokenKind; contractAddress: string }) =>
  `${token.kind}/${token.contractAddress.toLowerCase()}`

/**
 * Creates and updates tokens by kind and address (product 10.2). A state that an operator has set is theirs: a line
 * that says otherwise is refused. Changes are audited; creations are the caller's to audit.
 */
export async function saveTokens(
  tx: Tx,
  ctx: Ctx,
  items: readonly TokenItem[],
  precondition?: Precondition,
): Promise<Outcome[]> {
  const stored = await lockTokens(tx, items)
  const audits: AuditEntry[] = []
  const { outcomes, inserts, updates } = play(items, stored, keyOf, (item, present) => {
    const after = next(item, present)
    if (after instanceof AppError || after === present) return after
    const stale = staleChange('token', precondition, present)
    if (stale || !present) return stale ?? after
    if (present.id !== null) audits.push(changeOf(present.id, present, after))
    return { ...after, version: present.version + 1 }
  })
  await updateTokens(tx, updates)
  await insertTokens(tx, inserts)
  const relabeled = updates.filter((after) => {
    const before = stored.get(keyOf(after))
    return labels.some((label) => before?.[label] !== after[label])
  })
  await relabelTransfers(
    tx,
    [...relabeled, ...inserts].map((row) => row.contractAddress),
  )
  await auditAll(tx, ctx, audits)
  return outcomes
}

function next(item: TokenItem, present: TokenRow | undefined): TokenRow | AppError {
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
  return changed<TokenRow>(present, {
    projectName,
    tokenSymbol,
    ...(decimals !== undefined && { decimals }),
    ...(logo !== undefined && { logo }),
    ...(projectLink !== undefined && { projectLink }),
    ...(isActive !== undefined && { isActive }),
    ...(createdAt !== undefined && { createdAt }),
  })
}

function changeOf(id: string, present: TokenRow, after: TokenRow): AuditEntry {
  const fields = auditedFields.filter((field) => present[field] !== after[field])
  const pick = (row: TokenRow) => Object.fromEntries(fields.map((field) => [field, row[field]]))
  return {
    action: 'update_token',
    target: { type: 'token', id },
    details: { kind: present.kind, before: pick(present), after: pick(after) },
  }
}

async function lockTokens(tx: Tx, items: readonly TokenItem[]) {
  const found = await tx.execute<TokenRow & { createdAt: string }>(sql`
    SELECT id::text, kind, contract_address AS "contractAddress", project_name AS "projectName",
      token_symbol AS "tokenSymbol", decimals, logo, project_link AS "projectLink", is_active AS "isActive",
      active_set_by AS "activeSetBy", active_set_at AS "activeSetAt", created_at AS "createdAt", version
    FROM tokens WHERE contract_address = ANY(${textArray(items.map((item) => item.contractAddress.toLowerCase()))})
    ORDER BY id FOR NO KEY UPDATE`)
  return new Map(
    found.rows.map((row): [string, TokenRow] => [
      keyOf(row),
      {
        ...row,
        createdAt: toInstant(row.createdAt),
        activeSetAt: row.activeSetAt && toInstant(row.activeSetAt),
      },
    ]),
  )
}

const columns = sql`AS r(id bigint, kind text, "contractAddress" text, "projectName" text, "tokenSymbol" text,
  decimals int, logo text, "projectLink" text, "isActive" boolean, "createdAt" timestamptz, version int)`

async function updateTokens(tx: Tx, rows: readonly TokenRow[]) {
  if (rows.length === 0) return
  await tx.execute(sql`
    UPDATE tokens AS t SET project_name = r."projectName", token_symbol = r."tokenSymbol", decimals = r.decimals,
      logo = r.logo, project_link = r."projectLink", is_active = r."isActive", created_at = r."createdAt",
      version = r.version
    FROM ${recordset(rows)} ${columns} WHERE t.id = r.id`)
}

async function insertTokens(tx: Tx, rows: readonly TokenRow[]) {
  if (rows.length === 0) return
  await insertRows(
    tx,
    rows.length,
    sql`
    INSERT INTO tokens (kind, contract_address, project_name, token_symbol, decimals, logo, project_link, is_active,
      created_at, version)
    SELECT r.kind, r."contractAddress", r."projectName", r."tokenSymbol", r.decimals, r.logo, r."projectLink",
      r."isActive", coalesce(r."createdAt", now()), r.version
    FROM ${recordset(rows)} ${columns} ORDER BY r.kind, r."contractAddress" ON CONFLICT DO NOTHING`,
  )
}
