import type { FastifyInstance } from 'fastify'

export function callsDoor(_app: FastifyInstance): void {}
