import type { KycStatus, stepStatuses, verificationStatuses } from './kyc.ts'
import type { EventData, PlatformEventType } from './schemas/platform-events.ts'
import type { AdminAction } from './security.ts'
import { listKeys } from './states.ts'

/** The events that report this status, so that a move cannot send another event. */
type EventOfStatus<Status extends KycStatus> = {
  [T in PlatformEventType]: EventData<T> extends { kycStatus: Status } ? T : never
}[PlatformEventType]

type KycMove<To extends KycStatus> = {
  /** The member's KYC status before. Null if it was never begun. */
  from: readonly (KycStatus | null)[]
  by: readonly ('operator' | 'platform' | 'provider')[]
} & (
  | { decides: false }
  | {
      decides: true
      /** The status of the attempt's steps and verification after the move. */
      step: (typeof stepStatuses)[number]
      verification: (typeof verificationStatuses)[number]
      event: EventOfStatus<To>
      action: AdminAction
      /** The message for a missing reason. Null if the move needs none. */
      refusal: string | null
      button: string
      /** The text of its dialog. */
      consequence: string
      /** The message of the review afterwards. */
      done: string
    }
)

const beforeApproval = [null, 'pending', 'submitted', 'under_review', 'rejected'] as const

/** The message after a decision on the member's page. */
export const kycUpdated = 'KYC Status Updated'

/**
 * Every move of a member's KYC, by its target status (product 7.1). A status without an entry does not compile.
 * Decisions apply to the member and to its latest submitted attempt together.
 */
export const kycMoves = {
  /** By submitting an attempt. */
  submitted: { from: beforeApproval, by: ['platform'], decides: false },
  /** By receiving the case. Without a provider, a submission goes here at once. */
  under_review: { from: ['submitted'], by: ['provider'], decides: false },
  approved: {
    from: beforeApproval,
    by: ['operator', 'provider', 'platform'],
    decides: true,
    step: 'approved',
    verification: 'approved',
    event: 'kyc.approved',
    action: 'approve_kyc',
    refusal: null,
    button: 'Approve',
    consequence: 'Marks KYC as completed and assigns a permanent membership id. Can’t be undone.',
    done: 'KYC Approved Successfully',
  },
  rejected: {
    from: beforeApproval,
    by: ['operator', 'provider', 'platform'],
    decides: true,
    step: 'rejected',
    verification: 'rejected',
    event: 'kyc.rejected',
    action: 'reject_kyc',
    refusal: 'Rejection reason is required',
    button: 'Reject',
    consequence: 'KYC becomes Rejected. The member can submit a new attempt.',
    done: kycUpdated,
  },
  /** The reset. */
  pending: {
    from: beforeApproval,
    by: ['operator'],
    decides: true,
    step: 'reset',
    verification: 'reset',
    event: 'kyc.reset',
    action: 'reset_kyc',
    refusal: null,
    button: 'Reset',
    consequence:
      'The member goes back to Pending, step 1, and submits everything again. Documents of earlier attempts stay in the history.',
    done: kycUpdated,
  },
} as const satisfies { [Status in KycStatus]: KycMove<Status> }

/** The status after a decision. */
export type KycDecisionStatus = {
  [To in KycStatus]: (typeof kycMoves)[To] extends { decides: true } ? To : never
}[KycStatus]

/** Decisions by the names of the calls, in the order of their buttons. */
export const kycDecisions = { approve: 'approved', reject: 'rejected', reset: 'pending' } as const satisfies Record<
  string,
  KycDecisionStatus
>
export type KycAction = keyof typeof kycDecisions
export const kycActions = listKeys(kycDecisions)

/** The move of a call. */
export const kycMove = <Action extends KycAction>(action: Action) => kycMoves[kycDecisions[action]]

/** Whether a member's KYC may move (product 7.1). */
export function canMoveKyc(to: KycStatus, status: KycStatus | null): boolean {
  const from: readonly (KycStatus | null)[] = kycMoves[to].from
  return from.includes(status)
}

/** Whether the KYC can be decided. All decisions start from the same statuses. */
export const canDecideKyc = (status: KycStatus | null): boolean => canMoveKyc('approved', status)
