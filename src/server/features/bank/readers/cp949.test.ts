import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { decodeCp949 } from './cp949.ts'

test('syllables that EUC-KR lacks are read', () => {
  expect(decodeCp949(Buffer.from('8c63b9e6b0a2c7cf', 'hex'))).toBe('똠방각하')
  expect(decodeCp949(Buffer.from('8141,a0fe,a141,c652'.replaceAll(',', ''), 'hex'))).toBe('갂좤좥힣')
})

test('each of the 11,172 syllables has two bytes of its own', () => {
  const pairs: number[][] = []
  for (let lead = 0x81; lead <= 0xc8; lead += 1)
    for (let trail = 0x41; trail <= 0xfe; trail += 1) pairs.push([lead, trail])
  const read = pairs.flatMap((pair) => {
    try {
      return [decodeCp949(Uint8Array.from(pair))]
    } catch {
      return []
    }
  })
  const syllables = read.filter((text) => /^\p{Script=Hangul}$/u.test(text) && text >= '가')
  expect(new Set(syllables).size).toBe(11_172)
  expect(createHash('sha256').update(syllables.join('')).digest('hex')).toBe(
    'ca775c73b22a7f5589c62fc71d8e67f5c7cf96f740b8c7a4be8ab5e5a4ec2e09',
  )
})

test('bytes that are no character are refused', () => {
  for (const bytes of ['80', 'ff', '81', 'b0', '8140', 'c653', 'b020'])
    expect(() => decodeCp949(Buffer.from(bytes, 'hex')), bytes).toThrow(TypeError)
})
