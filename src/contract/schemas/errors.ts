import * as z from 'zod/mini'
import { errorCodes } from '#contract/errors.ts'
import { stepUpMethods } from '#contract/factors.ts'

export const ErrorCode = z.enum(errorCodes)

const WrongField = z.object({ field: z.string(), message: z.string() })
/** Whichever of these say how it stands: who set it so and when, which version it has. */
const PresentState = z.looseObject({
  by: z.optional(z.nullable(z.string())),
  at: z.optional(z.nullable(z.string())),
  until: z.optional(z.string()),
  /** Null where there is nothing. */
  version: z.optional(z.nullable(z.int())),
  status: z.optional(z.string()),
  latestAttempt: z.optional(z.int()),
  nextAttempt: z.optional(z.int()),
  /** Of `step_up_required`: what renews the authentication. */
  methods: z.optional(z.array(z.enum(stepUpMethods))),
  /** The request for approval that waits already. */
  approvalId: z.optional(z.string()),
  /** The account that a statement file names, where it is not one of ours. The currency is empty where the file names none. */
  unknownAccount: z.optional(z.object({ account: z.string(), currency: z.string() })),
  /** The scope that the platform key lacks. */
  scope: z.optional(z.string()),
})

/** Every refusal's body. `details` names the fields that were wrong, or the state that stood in the way. */
export const ErrorReply = z.object({
  message: z.string(),
  code: ErrorCode,
  details: z.optional(z.union([z.array(WrongField), PresentState])),
  requestId: z.optional(z.string()),
})
export type ErrorReply = z.infer<typeof ErrorReply>
