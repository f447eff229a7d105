const prefix = 'document-token:'

/** Document tokens and what was open last are this session's alone: they go when it ends. */
export function forgetStored(): void {
  try {
    for (const key of Object.keys(localStorage)) if (/^(document-token|recent):/.test(key)) localStorage.removeItem(key)
  } catch {
    // Storage can be forbidden; then nothing was kept either.
  }
}

export const documentTokenKey = (userId: string, documentPath: string): string => `${prefix}${userId}:${documentPath}`
