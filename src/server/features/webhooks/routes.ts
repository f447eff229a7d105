import type { FastifyInstance } from 'fastify'

export function webhooksDoor(_app: FastifyInstance): void {}
