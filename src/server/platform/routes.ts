import type { FastifyInstance } from 'fastify'

export function platformDoor(_app: FastifyInstance): void {}
