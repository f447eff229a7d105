/** Letters, digits, punctuation and signs; Unicode counts some among them that show nothing, such as the Hangul fillers. */
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether somebody who reads the text sees anything of it. */
export const isVisible = (text: string): boolean => visible.test(text)

/** What was written, without the blanks around it; empty where nobody sees anything of it. */
export const trimText = (text: string | null | undefined): string => (text && isVisible(text) ? text.trim() : '')
