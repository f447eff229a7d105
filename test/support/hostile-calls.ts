import fc from 'fast-check'
import type { Route } from '#contract/route.ts'
import { hostileTexts } from './fuzz-values.ts'

interface HostileCall {
  url: string
  body: unknown
  headers: Record<string, string>
}

const hostileText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary', maxLength: 40 }))
const hostileValue = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, [], {}, [[]], { a: { b: {} } }),
  fc.jsonValue(),
)
const encode = (value: string) => {
  try {
    return encodeURIComponent(value)
  } catch {
    return '%ED%A0%80'
  }
}

const listFields = (schema: unknown): string[] => {
  const shape = (schema as { def?: { shape?: object; innerType?: unknown } } | undefined)?.def
  if (shape?.shape) return Object.keys(shape.shape)
  return shape?.innerType ? listFields(shape.innerType) : []
}

/** A fixed set of calls to one route with values nobody should send: same seed, same calls. */
export function buildHostileCalls(route: Route, howMany = 60): HostileCall[] {
  const query = listFields(route.query)
  const body = listFields(route.body)
  const call = fc.record({
    params: fc.array(hostileText, { minLength: 3, maxLength: 3 }),
    query: fc.array(fc.tuple(fc.constantFrom(...query, 'unknown', 'page', 'limit'), hostileText), { maxLength: 4 }),
    body: fc.oneof(
      hostileValue,
      fc.dictionary(fc.constantFrom(...body, 'unknown', '__proto__', 'isAdmin'), hostileValue, { maxKeys: 4 }),
    ),
    ifMatch: fc.option(fc.constantFrom('0', '"1"', 'W/"1"', '*', 'x', '99999999999999999999'), { freq: 4 }),
  })
  return fc.sample(call, { numRuns: howMany, seed: 20_261_121 }).map((made) => {
    let at = 0
    const path = route.path.replace(/:\w+/g, () => encode(made.params[at++] ?? '') || '%00')
    const search = made.query.map(([name, value]) => `${name}=${encode(value)}`).join('&')
    const hasBody = route.method !== 'GET'
    return {
      url: search ? `${path}?${search}` : path,
      body: hasBody ? JSON.stringify(made.body) : undefined,
      headers: {
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(made.ifMatch && { 'if-match': made.ifMatch }),
      },
    }
  })
}
