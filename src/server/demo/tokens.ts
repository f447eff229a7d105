import type { ImportLine } from '#contract/platform.ts'
import { tokenAddresses } from './history.ts'
import { Random } from './random.ts'

const day = 86_400_000

interface DemoToken {
  symbol: string
  projectName: string
  logo?: string
  site?: string
  decimals?: number
  /** Whole days before the moment of filling. */
  age: number
  isActive?: boolean
}

/** What members hold: one token a project. Three rounds are closed. */
const fractions: readonly DemoToken[] = [
  { symbol: 'SOLA', projectName: 'Alentejo Solar Park', logo: '☀️', site: 'alentejo-solar', age: 392 },
  { symbol: 'WIND', projectName: 'Baltic Wind Two', logo: '🌬️', site: 'baltic-wind', age: 341 },
  { symbol: 'OLIV', projectName: 'Andalusia Olive Estates', logo: '🫒', site: 'andalusia-olives', age: 287 },
  { symbol: 'HAVN', projectName: 'Hamburg Harbour Lofts', logo: '⚓', site: 'harbour-lofts', age: 206 },
  { symbol: 'RICE', projectName: 'Mekong Rice Cooperative', logo: '🌾', age: 431, isActive: false },
  { symbol: 'GEOT', projectName: 'Aegean Geothermal', age: 418, isActive: false },
  { symbol: 'TIMB', projectName: 'Nordic Timber Fund', logo: '🌲', site: 'nordic-timber', age: 405, isActive: false },
]

/** What projects pay out in. */
const earning: readonly DemoToken[] = [
  { symbol: 'ESOLA', projectName: 'Alentejo Solar Park', logo: '☀️', site: 'alentejo-solar', age: 380 },
  { symbol: 'EWIND', projectName: 'Baltic Wind Two', logo: '🌬️', site: 'baltic-wind', age: 330 },
  { symbol: 'EOLIV', projectName: 'Andalusia Olive Estates', logo: '🫒', site: 'andalusia-olives', age: 276 },
  { symbol: 'EHAVN', projectName: 'Hamburg Harbour Lofts', logo: '⚓', site: 'harbour-lofts', age: 195 },
  { symbol: 'ERICE', projectName: 'Mekong Rice Cooperative', logo: '🌾', age: 420 },
  { symbol: 'EGEOT', projectName: 'Aegean Geothermal', age: 407 },
  { symbol: 'ETIMB', projectName: 'Nordic Timber Fund', logo: '🌲', site: 'nordic-timber', age: 394 },
  { symbol: 'BONUS', projectName: 'Loyalty Programme', logo: '🎁', decimals: 6, age: 58 },
]

/** The demo platform's 15 tokens, 12 of them active (PRODUCT section 6); fractions at the addresses its history names. */
export function makeTokens(instant: number): ImportLine<'token'>[] {
  const random = new Random(15_000)
  const lineOf = (kind: 'earning' | 'fractions', token: DemoToken): ImportLine<'token'> => ({
    type: 'token',
    kind,
    contractAddress: (kind === 'fractions' ? tokenAddresses.get(token.symbol) : undefined) ?? `0x${random.hex(40)}`,
    projectName: token.projectName,
    tokenSymbol: token.symbol,
    decimals: token.decimals ?? 18,
    ...(token.logo && { logo: token.logo }),
    ...(token.site && { projectLink: `https://${token.site}.example/` }),
    isActive: token.isActive ?? true,
    createdAt: new Date(Math.round(instant - (token.age - random.next() * 0.4) * day)).toISOString(),
  })
  return [...fractions.map((token) => lineOf('fractions', token)), ...earning.map((token) => lineOf('earning', token))]
}
