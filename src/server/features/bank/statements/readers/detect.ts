import { markedEncoding } from './text.ts'

export type FileFormat = 'camt' | 'MT940' | 'CSV' | 'zip'

/** How many bytes of a file tell its format. */
export const detectedBytes = 4096

/** What a file is by its first bytes; null where it is nothing known. The name and type of an upload prove nothing. */
export function detectFormat(bytes: Uint8Array): FileFormat | null {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)) return 'zip'
  const head = new TextDecoder(markedEncoding(bytes) ?? 'windows-1252').decode(bytes.subarray(0, detectedBytes))
  if (/^\s*<(\?xml|!--|!DOCTYPE)/.test(head)) return 'camt'
  if (/^\s*</.test(head) && /<([\w-]+:)?(Document|AppHdr)\b/.test(head)) return 'camt'
  if (/(^|\n|\r|@@|\{4:)\s?:(20|25P?):/.test(head)) return 'MT940'
  if (/^(OFXHEADER|!Type:)/.test(head) || head.includes('\0')) return null
  return /[;,\t|]/.test(head) && /[\n\r]/.test(head) ? 'CSV' : null
}
