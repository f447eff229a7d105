import type { FastifyInstance } from 'fastify'

export function searchDoor(_app: FastifyInstance): void {}
