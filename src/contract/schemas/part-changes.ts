import * as z from 'zod/mini'
import { maxPartReason, mostExactLines, mostParts } from '#contract/reconciliation.ts'
import { RowId, text } from './common.ts'

export const UndoPart = z.strictObject({ reason: text(maxPartReason, 1) })
export type UndoPart = z.infer<typeof UndoPart>

export const UndoParts = z.strictObject({
  partIds: z.array(RowId).check(
    z.minLength(1, 'must name a part'),
    z.maxLength(mostParts, `must name at most ${mostParts}`),
    z.refine((ids) => new Set(ids).size === ids.length, 'must name each part once'),
  ),
  reason: text(maxPartReason, 1),
})
export type UndoParts = z.infer<typeof UndoParts>

export const ApplyExact = z.strictObject({
  lines: z
    .array(z.strictObject({ id: RowId, version: z.int() }))
    .check(z.minLength(1, 'must hold a line'), z.maxLength(mostExactLines, `must hold at most ${mostExactLines}`)),
})
export type ApplyExact = z.infer<typeof ApplyExact>
