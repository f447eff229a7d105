const decoder = new TextDecoder('euc-kr', { fatal: true })

const firstSyllable = 0xac00
const syllableCount = 11_172

/** The syllables that KS X 1001 lacks, in the order of Unicode, which is their order in CP949. */
function listAddedSyllables(): string[] {
  const rows = Array.from({ length: 25 }, (_, at) => 0xb0 + at)
  const standard = rows.map((lead) => {
    const cells = Array.from({ length: 94 }, (_, at) => [lead, 0xa1 + at]).flat()
    return decoder.decode(Uint8Array.from(cells))
  })
  const known = new Set(standard.join(''))
  const all = Array.from({ length: syllableCount }, (_, at) => String.fromCodePoint(firstSyllable + at))
  return all.filter((syllable) => !known.has(syllable))
}

let added: string[] | undefined

/** The place of a second byte among those that added syllables have; -1 where it is none. */
function placeOf(trail: number): number {
  if (trail >= 0x41 && trail <= 0x5a) return trail - 0x41
  if (trail >= 0x61 && trail <= 0x7a) return trail - 0x61 + 26
  return trail >= 0x81 && trail <= 0xfe ? trail - 0x81 + 52 : -1
}

/** A syllable that CP949 adds to EUC-KR; undefined for any other two bytes. */
function findAdded(lead: number, trail: number): string | undefined {
  const place = placeOf(trail)
  if (place < 0) return undefined
  added ??= listAddedSyllables()
  // From 0xA1 on, second bytes of 0xA1 and more are those of EUC-KR.
  if (lead < 0xa1) return added[(lead - 0x81) * 178 + place]
  return place < 84 ? added[32 * 178 + (lead - 0xa1) * 84 + place] : undefined
}

/**
 * Decodes what Korean Windows writes as EUC-KR: CP949, which has all syllables. The decoder of Node has only those of KS X 1001, and
 * reads the others wrongly without an error. Throws a TypeError for wrong bytes.
 */
export function decodeCp949(bytes: Uint8Array): string {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at]!
    if (lead < 0x80) continue
    const syllable = findAdded(lead, bytes[at + 1] ?? 0)
    if (syllable !== undefined) {
      parts.push(decoder.decode(bytes.subarray(start, at)), syllable)
      start = at + 2
    } else if (lead < 0xa1) throw new TypeError('no character of CP949')
    at += 1
  }
  parts.push(decoder.decode(bytes.subarray(start)))
  return parts.join('')
}
