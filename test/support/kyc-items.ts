import type { DocumentKind } from '#contract/kyc.ts'
import { scopes } from '#contract/scopes.ts'
import { contextFor, inTransaction, type Ctx } from '#server/core/context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { KycItem } from '#server/features/kyc/attempt.ts'
import { saveKycAttempts } from '#server/features/kyc/save-attempts.ts'
import type { TestServer } from './server.ts'

export const step2 = { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' }
/** An hour of that day in January 2026. */
export const atDay = (day: number) => `2026-01-${String(day).padStart(2, '0')}T10:00:00.000Z`

/** Saves KYC items as the platform API does, on members and documents of the test, and reads the result. */
export function createKycItems(server: TestServer) {
  const platform = contextFor(server.services, { kind: 'platform', name: 'test', scopes })
  let made = 0
  async function makeMember() {
    const id = `k-${++made}`
    await server.sql('INSERT INTO members (id, email) VALUES ($1, $2)', [id, `${id}@example.com`])
    return id
  }
  async function makeDocument(memberId: string, kind: DocumentKind) {
    const key = `doc_${memberId}_${kind}`
    await server.sql(
      `INSERT INTO documents (key, member_id, kind, upload_hash, stored_hash, byte_size, width, height)
       VALUES ($1, $2, $3, sha256(convert_to($1::text, 'UTF8')), sha256('x'), 1, 1, 1)`,
      [key, memberId, kind],
    )
    return key
  }
  /** Each item's outcome; a refused one's code and message. */
  async function saveAs(ctx: Ctx, items: KycItem[]): Promise<string[]> {
    const outcomes = await inTransaction(ctx, (tx) => saveKycAttempts(tx, ctx, items))
    return outcomes.map((outcome) => (outcome instanceof AppError ? `${outcome.code}: ${outcome.message}` : outcome))
  }
  const save = (...items: KycItem[]) => saveAs(platform, items)
  const row = async (table: string, memberId: string, attempt?: number) =>
    (
      await server.sql(
        `SELECT * FROM ${table} WHERE ${table === 'members' ? 'id' : 'member_id'} = $1 ${attempt ? 'AND attempt_number = $2' : ''}`,
        [memberId, ...(attempt ? [attempt] : [])],
      )
    )[0]!
  return { platform, makeMember, makeDocument, save, saveAs, row }
}
