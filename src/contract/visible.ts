/** What shows nothing: also the blank of Braille, the empty note head, and marks of interlinear annotations. */
const unseen = '\\p{Default_Ignorable_Code_Point}\\u2800\\u{1d159}\\ufff9-\\ufffb'

/** Letters, digits, punctuation and signs; Unicode counts some among them that show nothing, such as the Hangul fillers. */
const visible = new RegExp(`(?![${unseen}])[\\p{L}\\p{N}\\p{P}\\p{S}]`, 'u')

/** A character of an e-mail address that nobody sees, or that has no meaning of its own. */
export const hidden = new RegExp(`[\\p{Cc}\\p{Cs}\\p{Co}${unseen}]`, 'u')

/** Whether somebody who reads the text sees anything of it. */
export const isVisible = (text: string): boolean => visible.test(text)

/** What was written, without the blanks around it; empty where nobody sees anything of it. */
export const trimText = (text: string | null | undefined): string => (text && isVisible(text) ? text.trim() : '')
