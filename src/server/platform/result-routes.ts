import type { FastifyInstance } from 'fastify'

export function resultsDoor(_app: FastifyInstance): void {}
