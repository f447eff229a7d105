import type { FastifyInstance } from 'fastify'

export function kycDoor(_app: FastifyInstance): void {}
