import { isUtf8 } from 'node:buffer'
import { analyse } from 'chardet'
import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { markedEncoding } from './text.ts'

type Encoding = CsvProfile['encoding']

/** How many bytes a guess looks at. */
const sampleBytes = 64 * 1024

/** The encodings that banks write, by the names under which they are recognised. Each of Windows holds its ISO one but for rare signs. */
const recognised: Record<string, Encoding> = {
  'ISO-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
  'ISO-8859-2': 'iso-8859-2',
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  'ISO-8859-7': 'windows-1253',
  'windows-1253': 'windows-1253',
  'ISO-8859-9': 'windows-1254',
  'windows-1254': 'windows-1254',
  'EUC-KR': 'euc-kr',
  Shift_JIS: 'shift_jis',
  GB18030: 'gb18030',
  Big5: 'big5',
}

/** Letters of Central Europe that ISO 8859-2 has where windows-1250 has signs. */
const isoLetters = [0xa1, 0xa6, 0xac, 0xb1, 0xb6, 0xbc]

/** UTF-8 where the bytes are, else what the frequency of letters tells. The operator sees the text and may choose another. */
export function guessCsvEncoding(bytes: Uint8Array): Encoding {
  const marked = markedEncoding(bytes)
  if (marked) return marked
  if (isUtf8(bytes)) return 'utf-8'
  const sample = bytes.subarray(0, sampleBytes)
  const found = analyse(sample)
    .map(({ name }) => recognised[name])
    .find((encoding) => encoding !== undefined)
  if (found === 'iso-8859-2' && !sample.some((byte) => isoLetters.includes(byte))) return 'windows-1250'
  return found ?? 'windows-1252'
}
