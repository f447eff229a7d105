import type { FastifyInstance } from 'fastify'

export function deliveriesDoor(_app: FastifyInstance): void {}
