const prefix = 'document-token:'

/** Document tokens are this session's alone: they go when it ends (PRODUCT 3.17). */
export function forgetDocumentTokens(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  } catch {
    // Storage can be forbidden; then nothing was kept either.
  }
}

export const documentTokenKey = (userId: string, documentPath: string): string => `${prefix}${userId}:${documentPath}`
