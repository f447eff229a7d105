import type { FastifyInstance } from 'fastify'

export function securityDoor(_app: FastifyInstance): void {}
