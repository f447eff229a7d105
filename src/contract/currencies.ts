/** In force, and younger than the list of some engines. */
const youngCurrencies = ['SLE', 'VED', 'XCG', 'ZWG']

const currencies = new Set([...Intl.supportedValuesOf('currency'), ...youngCurrencies])

/** Whether a code is of ISO 4217, also of a currency that has gone since. */
export const isCurrency = (code: string): boolean => currencies.has(code)

/** ISO 4217. Of some others `Intl` tells no places either, because their cash has none, yet banks book them. */
const wholeCurrencies = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '))

const placesOf = new Map<string, number>()

/** How many places amounts of a currency have. */
function countPlaces(currency: string): number {
  const known = placesOf.get(currency)
  if (known !== undefined) return known
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  const places = wholeCurrencies.has(currency) ? 0 : Math.max(2, maximumFractionDigits)
  placesOf.set(currency, places)
  return places
}

/** What is wrong with a decimal that has more places than its currency. Null of a right one. */
export function findPlacesProblem(amount: string, currency: string): string | null {
  const written = /\.(\d*?)0*$/.exec(amount)?.[1] ?? ''
  const places = countPlaces(currency)
  return written.length > places ? `${amount} has more places than ${currency}, which has ${places}` : null
}
