import type { KycStatus, stepStatuses, verificationStatuses } from './kyc.ts'
import type { EventData, PlatformEventType } from './schemas/platform-events.ts'
import type { AdminAction } from './security.ts'

/** The events that report this very status: a move can't send one of another. */
type EventOfStatus<Status extends KycStatus> = {
  [T in PlatformEventType]: EventData<T> extends { kycStatus: Status } ? T : never
}[PlatformEventType]

type KycMove<To extends KycStatus> = {
  /** Where the member's KYC may stand before; null where it was never begun. */
  from: readonly (KycStatus | null)[]
  by: readonly ('operator' | 'platform' | 'provider')[]
} & (
  | { decides: false }
  | {
      decides: true
      /** What each step of the attempt, and its verification, become with the member. */
      step: (typeof stepStatuses)[number]
      verification: (typeof verificationStatuses)[number]
      event: EventOfStatus<To>
      action: AdminAction
      /** What a refusal says where the reason is missing; null where no reason is asked for. */
      refusal: string | null
      button: string
      /** What its dialog says of it. */
      consequence: string
      /** What the review says once it is made. */
      done: string
    }
)

const beforeApproval = [null, 'pending', 'submitted', 'under_review', 'rejected'] as const

/** Said of a decision on the member's own page, whichever it is. */
export const kycUpdated = 'KYC Status Updated'

/**
 * Every move of a member's KYC, by the status it leads to (product 7.1). A status without its line here does not compile.
 * The decisions are made on the member and on its latest submitted attempt at once.
 */
export const kycMoves = {
  /** By handing an attempt in. */
  submitted: { from: beforeApproval, by: ['platform'], decides: false },
  /** By taking the case; where no provider is set, a submission goes on to here at once. */
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

/** What a decision makes of a member's KYC. */
export type KycDecisionStatus = {
  [To in KycStatus]: (typeof kycMoves)[To] extends { decides: true } ? To : never
}[KycStatus]

/** Decisions as calls name them, in the order of their buttons. */
export const kycDecisions = { approve: 'approved', reject: 'rejected', reset: 'pending' } as const satisfies Record<
  string,
  KycDecisionStatus
>
export type KycAction = keyof typeof kycDecisions
// Object.keys knows no more than that they are strings.
export const kycActions = Object.keys(kycDecisions) as [KycAction, ...KycAction[]]

/** The move that a call names. */
export const kycMove = <Action extends KycAction>(action: Action) => kycMoves[kycDecisions[action]]

/** Whether a member's KYC may move (product 7.1). */
export function canMoveKyc(to: KycStatus, status: KycStatus | null): boolean {
  const from: readonly (KycStatus | null)[] = kycMoves[to].from
  return from.includes(status)
}

/** Whether it can be decided on: every decision is made from the same statuses. */
export const canDecideKyc = (status: KycStatus | null): boolean => canMoveKyc('approved', status)
