import type { FastifyInstance } from 'fastify'

export function usersDoor(_app: FastifyInstance): void {}
