import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/context.ts'

export function liveDoor(_app: FastifyInstance, _services: Services): void {}
