import { expect, test } from 'vitest'
import { parseAddress } from './evm-address.ts'

test('addresses of one case are taken, mixed case only with a valid EIP-55 checksum', () => {
  const lower = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
  expect(parseAddress(lower)).toBe(lower)
  expect(parseAddress(`0x${lower.slice(2).toUpperCase()}`)).toBe(lower)
  expect(parseAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe(lower)
  expect(parseAddress('0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359')).toBe('0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359')
  for (const wrong of [
    '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    lower.slice(2),
    `0X${lower.slice(2)}`,
    ` ${lower}`,
    `${lower}0`,
    'vitalik.eth',
  ])
    expect(parseAddress(wrong), wrong).toBeNull()
})
