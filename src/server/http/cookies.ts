import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/core/config.ts'

export const sessionCookie = 'sid'

/**
 * `__Host-` cookies require https. A browser sends a cookie to every port of a host, so the name of one holds the port
 * where the address does. With PORT=0 it is unknown when the console starts.
 */
export const cookieName = ({ protocol, port }: URL, name: string): string =>
  `${protocol === 'https:' ? '__Host-' : ''}${name}${port && port !== '0' ? `-${port}` : ''}`

export const readCookie = (request: FastifyRequest, { publicUrl }: Config, name: string) =>
  request.cookies[cookieName(publicUrl, name)]

export function setCookie(
  reply: FastifyReply,
  config: Config,
  name: string,
  value: string,
  maxAgeSeconds?: number,
  sameSite: 'strict' | 'lax' = 'strict',
): void {
  reply.setCookie(cookieName(config.publicUrl, name), value, {
    path: '/',
    httpOnly: true,
    sameSite,
    secure: config.isHttps,
    ...(maxAgeSeconds && { maxAge: maxAgeSeconds }),
  })
}

export function clearCookie(reply: FastifyReply, config: Config, name: string): void {
  reply.clearCookie(cookieName(config.publicUrl, name), {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: config.isHttps,
  })
}
