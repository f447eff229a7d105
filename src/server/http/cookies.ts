import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/core/config.ts'

export const sessionCookie = 'sid'

/** `__Host-` cookies require https. Over http on loopback the same cookie has its plain name. */
const cookieName = (config: Config, name: string) => (config.isHttps ? `__Host-${name}` : name)

export const readCookie = (request: FastifyRequest, config: Config, name: string) =>
  request.cookies[cookieName(config, name)]

export function setCookie(
  reply: FastifyReply,
  config: Config,
  name: string,
  value: string,
  maxAgeSeconds?: number,
  sameSite: 'strict' | 'lax' = 'strict',
): void {
  reply.setCookie(cookieName(config, name), value, {
    path: '/',
    httpOnly: true,
    sameSite,
    secure: config.isHttps,
    ...(maxAgeSeconds && { maxAge: maxAgeSeconds }),
  })
}

export function clearCookie(reply: FastifyReply, config: Config, name: string): void {
  reply.clearCookie(cookieName(config, name), { path: '/', httpOnly: true, sameSite: 'strict', secure: config.isHttps })
}
