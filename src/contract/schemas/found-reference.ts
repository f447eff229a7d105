import * as z from 'zod/mini'
import { evidenceKinds } from '#contract/reconciliation.ts'

/** What names an order in the line's texts: `text` as it stands there, with a line break where two texts meet. */
export const FoundReference = z.object({ text: z.string(), kind: z.enum(evidenceKinds), orderNumber: z.string() })
export type FoundReference = z.infer<typeof FoundReference>
