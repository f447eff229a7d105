import type { KycResult } from '#contract/schemas/platform-api.ts'
import type { SignatureVerdict } from '#server/adapters/standard-webhooks.ts'
import { AppError, conflict, formatInstant } from '#server/lib/errors.ts'
import type { Problem } from '#server/http/problems.ts'

/** The attempt that a result belongs to. */
export interface CaseRef {
  memberId: string
  attemptNumber: number
  caseId: string
}

export type RefusedSignature = Exclude<SignatureVerdict, 'valid'>

/** Why a message is refused. Its row is written in any case. */
export type Refusal =
  | { because: 'signature'; signature: RefusedSignature }
  | { because: 'form'; problem: string; details?: Problem[] | undefined }
  | { because: 'replay' }
  | { because: 'unknown member'; userId: string }
  | { because: 'unknown attempt'; attemptNumber: number }
  | { because: 'nothing submitted' }
  | { because: 'other case'; attemptNumber: number }

/** Why a valid result has no effect. */
export type Obstacle =
  | { because: 'later attempt'; attemptNumber: number }
  | { because: 'decision'; decidedBy: string | null; decidedAt: string | null }
  | { because: 'later result' }

/** What happened to a message. */
export type Outcome =
  | { state: 'applied'; isDecided: boolean; result: KycResult['result']; of: CaseRef }
  | { state: 'recorded'; standing: Obstacle; of: CaseRef }
  | { state: 'recorded'; kind: 'event' | 'sandbox'; type: string }
  | { state: 'duplicate' }
  | { state: 'refused'; refusal: Refusal }

export type Acceptance = Exclude<Outcome, { state: 'refused' }>

export const refuse = (refusal: Refusal): Outcome => ({ state: 'refused', refusal })

/** Describes what was done with a message. */
export function describeOutcome(outcome: Acceptance): string {
  switch (outcome.state) {
    case 'applied':
      return outcome.isDecided
        ? `The KYC provider has ${outcome.result} the member`
        : `The KYC provider says ${outcome.result.replace('_', ' ')}; an operator decides`
    case 'recorded':
      return `${'standing' in outcome ? describeObstacle(outcome.standing) : describeKind(outcome)}; nothing was changed`
    case 'duplicate':
      return 'This message was taken before; nothing was changed'
  }
}

const describeKind = ({ kind, type }: { kind: 'event' | 'sandbox'; type: string }) =>
  `${type} ${kind === 'sandbox' ? 'comes from the provider’s sandbox' : 'says nothing of a review'}`

function describeObstacle(standing: Obstacle): string {
  switch (standing.because) {
    case 'later attempt':
      return `Attempt ${standing.attemptNumber} has been submitted since`
    case 'decision': {
      const { decidedBy, decidedAt } = standing
      const by = [decidedBy && `by ${decidedBy}`, decidedAt && `on ${formatInstant(decidedAt)}`]
        .filter(Boolean)
        .join(' ')
      return `The case was decided${by && ` ${by}`}`
    }
    case 'later result':
      return 'The provider has said something later of this case'
  }
}

const signatureReasons: Record<RefusedSignature, string> = {
  missing: 'it is missing',
  invalid: 'it is not by a secret that this console knows',
  stale: 'its time is more than 5 minutes from now',
}

/** The text in the row of a refused message. */
export const describeRefusal = (refusal: Refusal): string =>
  refusal.because === 'signature'
    ? `The signature is refused, ${signatureReasons[refusal.signature]}`
    : refusalError(refusal).message

/** The error that the sender of a refused message gets. */
export function refusalError(refusal: Refusal): AppError {
  switch (refusal.because) {
    case 'signature':
      return new AppError(
        'unauthorized',
        `Unauthorized: the signature is refused, ${signatureReasons[refusal.signature]}`,
      )
    case 'form':
      return new AppError('invalid', refusal.problem, { details: refusal.details })
    case 'replay':
      return conflict('message_replayed', 'This very message was taken before: sign it again to send it again')
    case 'unknown member':
      return new AppError('not_found', `userId: there is no member ${refusal.userId}`)
    case 'unknown attempt':
      return new AppError('not_found', `attemptNumber: attempt ${refusal.attemptNumber} was not submitted`)
    case 'nothing submitted':
      return new AppError('not_found', 'attemptNumber: this member had submitted nothing by then')
    case 'other case':
      return conflict('case_mismatch', `caseId: attempt ${refusal.attemptNumber} of this member is another case`)
  }
}
