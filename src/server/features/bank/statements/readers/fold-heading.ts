import anyAscii from 'any-ascii'

/** What a heading is compared by: plain letters, one blank where signs stood, nothing around a slash. */
export const foldHeading = (text: string): string =>
  anyAscii(text)
    .toLowerCase()
    .replace(/[^a-z0-9/]+/g, ' ')
    .replace(/ ?\/ ?/g, '/')
    .trim()
