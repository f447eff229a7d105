/** Invisible characters, including the Braille blank, the empty note head and interlinear annotation marks. */
const unseen = '\\p{Default_Ignorable_Code_Point}\\u2800\\u{1d159}\\ufff9-\\ufffb'

/** Letters, digits, punctuation and symbols. Unicode includes some invisible ones, such as the Hangul fillers. */
const visible = new RegExp(`(?![${unseen}])[\\p{L}\\p{N}\\p{P}\\p{S}]`, 'u')

/** A character in an e-mail address that is invisible or has no meaning of its own. */
export const hidden = new RegExp(`[\\p{Cc}\\p{Cs}\\p{Co}${unseen}]`, 'u')

/** Whether a text shows anything to its reader. */
export const isVisible = (text: string): boolean => visible.test(text)

/** Trims blanks. Empty if nothing of the text is visible. */
export const trimText = (text: string | null | undefined): string => (text && isVisible(text) ? text.trim() : '')
