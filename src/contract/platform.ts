/** The highest number of a KYC attempt. */
export const maxAttempts = 1000
