import { isUtf8 } from 'node:buffer'
import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { decodeText, markedEncoding } from './text.ts'

type Encoding = CsvProfile['encoding']

/** How many bytes a guess looks at. */
const sampleBytes = 64 * 1024

interface TwoByteEncoding {
  encoding: Encoding
  isLead: (byte: number) => boolean
  /** Whether a character is one of those that most texts consist of. Bytes of another encoding make rare ones. */
  isCommon: (lead: number, trail: number) => boolean
  /** Characters of one byte: the narrow katakana, in which Japanese banks write names. */
  isSingle?: (byte: number) => boolean
}

const within = (byte: number, from: number, to: number) => byte >= from && byte <= to
const isWide = (byte: number) => within(byte, 0x81, 0xfe)

/** In this order: what is common in Korean may be so in Chinese, and hardly the other way round. */
const twoByteEncodings: TwoByteEncoding[] = [
  {
    encoding: 'shift_jis',
    isLead: (byte) => within(byte, 0x81, 0x9f) || within(byte, 0xe0, 0xfc),
    isCommon: (lead) => within(lead, 0x81, 0x83) || within(lead, 0x88, 0x98),
    isSingle: (byte) => within(byte, 0xa1, 0xdf),
  },
  {
    encoding: 'euc-kr',
    isLead: isWide,
    isCommon: (lead, trail) => (within(lead, 0xa1, 0xa3) || within(lead, 0xb0, 0xc8)) && trail >= 0xa1,
  },
  { encoding: 'big5', isLead: isWide, isCommon: (lead) => within(lead, 0xa1, 0xc6) },
  {
    encoding: 'gb18030',
    isLead: isWide,
    isCommon: (lead, trail) => (within(lead, 0xa1, 0xa3) || within(lead, 0xb0, 0xd7)) && trail >= 0xa1,
  },
]

/** Whether a text reads as one of this encoding: common characters, which stand in words and not alone as accented letters do. */
function looksLike({ isLead, isCommon, isSingle }: TwoByteEncoding, bytes: Uint8Array): boolean {
  let [all, common, joined] = [0, 0, 0]
  let last = -1
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte < 0x80) continue
    const isOne = isSingle?.(byte) ?? false
    const trail = bytes[at + 1] ?? 0
    all += 1
    if (isOne || (isLead(byte) && isCommon(byte, trail))) common += 1
    if (last === at) joined += 1
    if (!isOne) at += 1
    last = at + 1
  }
  return all > 0 && common >= all * 0.85 && joined >= all * 0.4
}

function isDecodable(bytes: Uint8Array, encoding: Encoding): boolean {
  try {
    decodeText(bytes, encoding)
    return true
  } catch {
    return false
  }
}

/** UTF-8 where the bytes are, an encoding of East Asia where they read as one, else windows-1252, of which Latin-1 is a part. */
export function guessCsvEncoding(bytes: Uint8Array): Encoding {
  const marked = markedEncoding(bytes)
  if (marked) return marked
  if (isUtf8(bytes)) return 'utf-8'
  const sample = bytes.subarray(0, sampleBytes)
  const found = twoByteEncodings.find((each) => looksLike(each, sample) && isDecodable(bytes, each.encoding))
  return found?.encoding ?? 'windows-1252'
}
