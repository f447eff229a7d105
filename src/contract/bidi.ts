/** Marks, embeddings, overrides and isolates, which change the direction of a text and of its neighbours. */
const bidiControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Removes them from texts of others, so that none changes the direction of another. */
export const withoutBidiControls = (text: string): string => text.replace(bidiControls, '')
