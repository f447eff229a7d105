const prefix = 'document-token:'

/** Removes document tokens and recent items, which belong to one session. */
export function clearStored(): void {
  try {
    for (const key of Object.keys(localStorage)) if (/^(document-token|recent):/.test(key)) localStorage.removeItem(key)
  } catch {
    // The browser may forbid storage. Then nothing was stored either.
  }
}

export const buildTokenKey = (userId: string, documentPath: string): string => `${prefix}${userId}:${documentPath}`
