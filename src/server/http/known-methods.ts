import type { FastifyInstance } from 'fastify'

interface Served {
  /** Segments of the address; null stands for any one. */
  segments: (string | null)[]
  methods: string[]
}

const segmentsOf = (path: string) => path.replace(/\/$/, '').split('/')

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The methods of every route registered after this call: tells which ones an address serves, as `Allow` lists them. */
export function knownMethods(app: FastifyInstance): (url: string) => string[] {
  const served: Served[] = []
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return
    const segments = segmentsOf(url).map((segment) => (segment.startsWith(':') ? null : segment))
    served.push({ segments, methods: [method].flat() })
  })
  return (url) => {
    const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
    const asked = segmentsOf(path).map(decoded)
    const fits = ({ segments }: Served) =>
      segments.length === asked.length && segments.every((segment, at) => segment === null || segment === asked[at])
    return [...new Set(served.filter(fits).flatMap(({ methods }) => methods))].toSorted()
  }
}
