import type { FastifyInstance } from 'fastify'

export function exportsDoor(_app: FastifyInstance): void {}
