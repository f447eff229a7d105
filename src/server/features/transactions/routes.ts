import type { FastifyInstance } from 'fastify'

export function transactionsDoor(_app: FastifyInstance): void {}
