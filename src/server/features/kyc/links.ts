import { linkFacts, mostCounted, mostLinked } from '#contract/kyc-links.ts'
import type { MemberLink } from '#contract/schemas/kyc-reviews.ts'
import type { Ctx } from '#server/core/context.ts'
import { jsonObject } from '#server/db/select.ts'
import { members } from '#server/db/tables/members.ts'
import { memberRefColumns } from '#server/features/members/service.ts'
import { notFound } from '#server/lib/errors.ts'

// Each fact finds other members by an index, and stops after `mostCounted` rows: an account of a payment service has paid for thousands.

/** Fewer digits than this are no telephone number. */
const leastDigits = 6
/** How many orders, transfers and pictures of the member are looked at, the newest. */
const mostOwn = 200
/** Of 256 bits of two pictures that look the same. Measured in docs/decisions/095. */
const mostDifferentBits = 8

const samePhone = `
  SELECT m.id AS member_id FROM me JOIN members m
    ON (reverse(phone_digits(m.legal_phone)) COLLATE "C") = reverse(me.phone) AND m.legal_phone IS NOT NULL
  WHERE length(me.phone) >= ${leastDigits} LIMIT ${mostCounted}`

const accountKey = (line: string) => `(left(plain_code(${line}.payer_account), 34) COLLATE "C")`
const pays = `p.purpose = 'order' AND p.undone_at IS NULL`

/** Accounts whose money pays orders of both, no matter who they belong to. */
const sameAccount = `
  SELECT other.member_id FROM (
    SELECT DISTINCT ${accountKey('l')} AS account
    FROM (SELECT id FROM orders WHERE member_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${mostOwn}) own
      JOIN bank_allocations p ON p.order_id = own.id JOIN bank_lines l ON l.id = p.line_id
    WHERE ${pays} AND l.payer_account IS NOT NULL) mine
  CROSS JOIN LATERAL (
    SELECT o.member_id FROM bank_lines l JOIN bank_allocations p ON p.line_id = l.id JOIN orders o ON o.id = p.order_id
    WHERE ${accountKey('l')} = mine.account AND ${pays} AND o.member_id <> $1 LIMIT ${mostCounted}) other`

/** The newest transfers of the member's wallets, on either side. */
const ownTransfers = (column: string) => `
  SELECT t.wallet_address, t.from_address, t.to_address FROM wallets w CROSS JOIN LATERAL (
    SELECT * FROM chain_transactions c WHERE c.${column} = w.address ORDER BY c.created_at DESC, c.id DESC LIMIT ${mostOwn}) t
  WHERE w.member_id = $1 AND t.status <> 'failed'`

const sentTokens = `
  SELECT o.member_id FROM (${ownTransfers('wallet_address')} UNION ALL ${ownTransfers('to_address')}) t
    JOIN wallets o ON o.address IN (t.wallet_address, t.from_address, t.to_address)
  WHERE o.member_id <> $1 LIMIT ${mostCounted * 2}`

/** The lines of a member's search text: first and last name, last and first name, e-mail. The second is there with both names. */
const sameBirth = `
  SELECT m.id AS member_id FROM me
    JOIN (SELECT DISTINCT date_of_birth FROM kyc_step2 WHERE member_id = $1) own ON me.reversed_name IS NOT NULL
    JOIN kyc_step2 s ON s.date_of_birth = own.date_of_birth AND s.member_id <> $1
    JOIN members m ON m.id = s.member_id AND split_part(m.search, E'\\n', 1) IN (me.name, me.reversed_name)
  LIMIT ${mostCounted}`

const ownPictures = `
  SELECT kind, stored_hash, picture_hash FROM documents WHERE member_id = $1 ORDER BY created_at DESC, key LIMIT ${mostOwn}`

const samePicture = `
  SELECT found.member_id, own.kind AS own_kind, found.kind AS other_kind, found.is_same FROM (${ownPictures}) own
  CROSS JOIN LATERAL (
    (SELECT d.member_id, d.kind, true AS is_same FROM documents d
      WHERE d.stored_hash = own.stored_hash AND d.member_id <> $1 LIMIT ${mostCounted})
    UNION ALL
    (SELECT d.member_id, d.kind, false FROM documents d
      WHERE picture_bands(d.picture_hash) && picture_bands(own.picture_hash)
        AND bit_count(d.picture_hash # own.picture_hash) <= ${mostDifferentBits}
        AND d.stored_hash <> own.stored_hash AND d.member_id <> $1 LIMIT ${mostCounted})) found`

const facts: Record<(typeof linkFacts)[number], string> = {
  phone: samePhone,
  name_birth: sameBirth,
  account: sameAccount,
  wallet: sentTokens,
  picture: samePicture,
}

const noPicture = 'NULL::text AS own_kind, NULL::text AS other_kind, NULL::boolean AS is_same'
const selectFact = (fact: (typeof linkFacts)[number]) =>
  fact === 'picture'
    ? `(SELECT '${fact}' AS fact, member_id, own_kind, other_kind, is_same FROM (${facts[fact]}) f)`
    : `(SELECT '${fact}' AS fact, member_id, ${noPicture} FROM (${facts[fact]}) f)`

const { kycStatus, kycDecidedAt, kycRejectionReason, bannedAt } = members
const outcome = jsonObject({ kycStatus, decidedAt: kycDecidedAt, rejectionReason: kycRejectionReason, bannedAt }, 'm', {
  member: jsonObject(memberRefColumns, 'm'),
  picture: `CASE WHEN l.fact = 'picture' THEN json_build_object('own', l.own_kind, 'other', l.other_kind, 'isSame', l.is_same) END`,
})

/** Who was banned or rejected stands first, the latest decision before older ones. */
const byWeight = `m.banned DESC, m.kyc_status IS NOT DISTINCT FROM 'rejected' DESC, m.kyc_decided_at DESC NULLS LAST, m.id`

// One picture a member and fact: the same file before one that looks like it.
const statement = `
  WITH me AS MATERIALIZED (SELECT phone_digits(legal_phone) AS phone, split_part(search, E'\\n', 1) AS name,
      CASE WHEN split_part(search, E'\\n', 3) <> '' THEN split_part(search, E'\\n', 2) END AS reversed_name
    FROM members WHERE id = $1 AND erased_at IS NULL),
  found AS (SELECT DISTINCT ON (fact, member_id) * FROM (${linkFacts.map(selectFact).join(' UNION ALL ')}) u
    WHERE member_id <> $1 ORDER BY fact, member_id, is_same DESC, own_kind, other_kind),
  ranked AS (SELECT l.fact, ${outcome} AS link, row_number() OVER (PARTITION BY l.fact ORDER BY ${byWeight}) AS rank,
      count(*) OVER (PARTITION BY l.fact)::int AS total
    FROM found l JOIN members m ON m.id = l.member_id AND m.erased_at IS NULL)
  SELECT fact, json_agg(link ORDER BY rank) AS members, max(total) AS total FROM ranked WHERE rank <= ${mostLinked} GROUP BY fact`

/**
 * What a member has in common with other members, as facts (product 5.10). Erased members are in none. Throws not_found.
 */
export async function listMemberLinks({ reads }: Ctx, id: string): Promise<{ links: MemberLink[] }> {
  const known = await reads.query<{ id: string }>({ text: 'SELECT id FROM members WHERE id = $1', values: [id] })
  if (known.rows.length === 0) throw notFound('User')
  const { rows } = await reads.query<MemberLink>({ text: statement, values: [id] })
  const links = rows.map((link) => ({ ...link, total: Math.min(link.total, mostCounted) }))
  return { links: links.toSorted((one, other) => linkFacts.indexOf(one.fact) - linkFacts.indexOf(other.fact)) }
}
