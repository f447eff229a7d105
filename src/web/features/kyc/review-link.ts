import { linkOptions } from '@tanstack/react-router'

/** Links to review mode on a verification or on the `next` waiting one. The list's state stays in the address. */
export const linkToReview = (review: string) =>
  linkOptions({ to: '/kyc', search: (now: Record<string, unknown>) => ({ ...now, review }) })
