import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { allRoutes, type NamedRoute } from '#contract/schemas/routes.ts'
import { listRefusals } from '#server/openapi/refusals.ts'

const countParameters = ({ route: { path } }: NamedRoute) => path.split(':').length
// An address without parameters comes before one whose parameter could be its last word.
const sortedRoutes = allRoutes.toSorted((one, other) => countParameters(one) - countParameters(other))
const describedRoutes = sortedRoutes.map((named) => ({
  named,
  form: new RegExp(`^${named.route.path.replace(/:\w+/g, '[^/]*')}/?$`),
  refusals: new Set(listRefusals(named).map(({ status, code }) => `${status} ${code}`)),
}))

function findRoute(method: string, url: string) {
  const path = url.replace(/[?#].*$/s, '')
  const asked = method.toUpperCase() === 'HEAD' ? 'GET' : method.toUpperCase()
  return describedRoutes.find(({ named, form }) => named.route.method === asked && form.test(path))
}

function readCode({ body }: LightMyRequestResponse): string | undefined {
  try {
    return (JSON.parse(body) as { code?: string }).code
  } catch {
    return undefined
  }
}

/** Fails the test in which a call is refused with a status or a code that its description does not name. */
export function checkRefusals(app: FastifyInstance): void {
  const inject = app.inject.bind(app) as (options: InjectOptions | string) => Promise<LightMyRequestResponse>
  const checked = async (options: InjectOptions | string) => {
    const reply = await inject(options)
    const { method = 'GET', url } = typeof options === 'string' ? { url: options } : options
    if (typeof url !== 'string' || reply.statusCode < 400) return reply
    const call = findRoute(method, url)
    const code = readCode(reply)
    if (call && code !== undefined)
      expect([...call.refusals], `${method} ${url} is described with its refusal`).toContain(
        `${reply.statusCode} ${code}`,
      )
    return reply
  }
  // Its chain and its callback are not used by tests.
  app.inject = checked as typeof app.inject
}
