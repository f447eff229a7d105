import type { FastifyInstance } from 'fastify'

export function noticesDoor(_app: FastifyInstance): void {}
