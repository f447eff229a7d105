/** Marks, embeddings, overrides and isolates, by which a text turns the direction of itself and of what stands beside it. */
const bidiControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Text of others as screens and files show it: each shows it in its own direction, and none obeys another's. */
export const withoutBidiControls = (text: string): string => text.replace(bidiControls, '')
