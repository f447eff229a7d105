import type { FastifyInstance } from 'fastify'

export function walletsDoor(_app: FastifyInstance): void {}
