const prefix = 'document-token:'

/** Document tokens and what was open last are this session's alone: they go when it ends. */
export function clearStored(): void {
  try {
    for (const key of Object.keys(localStorage)) if (/^(document-token|recent):/.test(key)) localStorage.removeItem(key)
  } catch {
    // Storage can be forbidden; then nothing was kept either.
  }
}

export const buildTokenKey = (userId: string, documentPath: string): string => `${prefix}${userId}:${documentPath}`
