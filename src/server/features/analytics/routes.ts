import type { FastifyInstance } from 'fastify'

export function analyticsDoor(_app: FastifyInstance): void {}
