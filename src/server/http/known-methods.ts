import type { FastifyInstance } from 'fastify'

interface KnownRoute {
  /** The segments of the path. Null matches any segment. */
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

/** Collects the methods of routes registered after this call. Returns a function for the `Allow` header of a URL. */
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
