import type { FastifyInstance } from 'fastify'

export function openApiDoor(_app: FastifyInstance): void {}
