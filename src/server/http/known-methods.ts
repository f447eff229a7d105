import type { FastifyInstance } from 'fastify'

interface KnownRoute {
  /** Segments of the address; null stands for any one. */
  segments: (string | null)[]
  methods: string[]
}

const splitPath = (path: string) => path.replace(/\/$/, '').split('/')

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The methods of every route registered after this call: tells which ones an address serves, as `Allow` lists them. */
export function collectMethods(app: FastifyInstance): (url: string) => string[] {
  const served: KnownRoute[] = []
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return
    const segments = splitPath(url).map((segment) => (segment.startsWith(':') ? null : segment))
    served.push({ segments, methods: [method].flat() })
  })
  return (url) => {
    const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
    const asked = splitPath(path).map(decodeSegment)
    const fits = ({ segments }: KnownRoute) =>
      segments.length === asked.length && segments.every((segment, at) => segment === null || segment === asked[at])
    return [...new Set(served.filter(fits).flatMap(({ methods }) => methods))].toSorted()
  }
}
