import type { FastifyInstance } from 'fastify'

export function documentsDoor(_app: FastifyInstance): void {}
