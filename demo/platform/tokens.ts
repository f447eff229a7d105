import type { ImportLine } from '#contract/schemas/platform.ts'
import { computeTokenAddress } from '#demo/chain/build.ts'
import { Random } from './random.ts'

const day = 86_400_000

export interface DemoToken {
  kind: 'earning' | 'fractions'
  address: string
  decimals: number
  symbol: string
  projectName: string
  logo?: string
  site?: string
  /** Whole days before the moment of filling. */
  age: number
  isActive?: boolean
}

type TokenEntry = Omit<DemoToken, 'kind' | 'address' | 'decimals'> & { decimals?: number }

/** One fractions token per project. Three rounds are closed. Harbour lofts are sold as whole shares only. */
const fractions: readonly TokenEntry[] = [
  { symbol: 'SOLA', projectName: 'Alentejo Solar Park', logo: '☀️', site: 'alentejo-solar', age: 392 },
  { symbol: 'WIND', projectName: 'Baltic Wind Two', logo: '🌬️', site: 'baltic-wind', age: 341 },
  { symbol: 'OLIV', projectName: 'Andalusia Olive Estates', logo: '🫒', site: 'andalusia-olives', age: 287 },
  { symbol: 'HAVN', projectName: 'Hamburg Harbour Lofts', logo: '⚓', site: 'harbour-lofts', decimals: 0, age: 206 },
  { symbol: 'RICE', projectName: 'Mekong Rice Cooperative', logo: '🌾', age: 431, isActive: false },
  { symbol: 'GEOT', projectName: 'Aegean Geothermal', age: 418, isActive: false },
  { symbol: 'TIMB', projectName: 'Nordic Timber Fund', logo: '🌲', site: 'nordic-timber', age: 405, isActive: false },
]

/** The tokens in which projects pay earnings. */
const earning: readonly TokenEntry[] = [
  { symbol: 'ESOLA', projectName: 'Alentejo Solar Park', logo: '☀️', site: 'alentejo-solar', age: 380 },
  { symbol: 'EWIND', projectName: 'Baltic Wind Two', logo: '🌬️', site: 'baltic-wind', age: 330 },
  { symbol: 'EOLIV', projectName: 'Andalusia Olive Estates', logo: '🫒', site: 'andalusia-olives', age: 276 },
  { symbol: 'EHAVN', projectName: 'Hamburg Harbour Lofts', logo: '⚓', site: 'harbour-lofts', age: 195 },
  { symbol: 'ERICE', projectName: 'Mekong Rice Cooperative', logo: '🌾', age: 420 },
  { symbol: 'EGEOT', projectName: 'Aegean Geothermal', age: 407 },
  { symbol: 'ETIMB', projectName: 'Nordic Timber Fund', logo: '🌲', site: 'nordic-timber', age: 394 },
  { symbol: 'BONUS', projectName: 'Loyalty Programme', logo: '🎁', decimals: 6, age: 58 },
]

/** In the order of their deployment on the demo's chain, which determines their addresses. */
export const demoTokens: readonly DemoToken[] = [
  ...fractions.map((entry) => ({ kind: 'fractions' as const, ...entry })),
  ...earning.map((entry) => ({ kind: 'earning' as const, ...entry })),
].map((entry, n) => ({ ...entry, decimals: entry.decimals ?? 18, address: computeTokenAddress(n) }))

/** The demo platform's 15 tokens, 12 of them active (product 13.4). */
export function makeTokens(instant: number): ImportLine<'token'>[] {
  const random = new Random(15_000)
  return demoTokens.map((token) => ({
    type: 'token',
    kind: token.kind,
    contractAddress: token.address,
    projectName: token.projectName,
    tokenSymbol: token.symbol,
    decimals: token.decimals,
    ...(token.logo && { logo: token.logo }),
    ...(token.site && { projectLink: `https://${token.site}.example/` }),
    isActive: token.isActive ?? true,
    createdAt: new Date(Math.round(instant - (token.age - random.next() * 0.4) * day)).toISOString(),
  }))
}
