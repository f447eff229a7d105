import { linkOptions } from '@tanstack/react-router'

/** Review mode on a verification, or on the `next` that waits. The list's own state stays, so that leaving leads back to it. */
export const linkToReview = (review: string) =>
  linkOptions({ to: '/kyc', search: (now: Record<string, unknown>) => ({ ...now, review }) })
