/** Of a member's KYC. */
export const maxAttempts = 1000
