import * as z from 'zod'
import { isEmail } from '#contract/alerts.ts'

/** A mail server with its credentials. */
export const smtpUrl = z
  .string()
  .refine((value) => /^smtps?:/i.test(value) && URL.canParse(value), {
    error: 'must be a URL that starts with smtps:// or smtp://',
    abort: true,
  })
  .refine((value) => {
    const { hostname, pathname, search, hash } = new URL(value)
    return hostname !== '' && /^\/?$/.test(pathname) && search === '' && hash === ''
  }, 'must be smtps://user:password@host, or smtp:// where the server speaks STARTTLS, without a path')
  .refine((value) => {
    const { username, password } = new URL(value)
    return (username === '') === (password === '') && isDecodable(username) && isDecodable(password)
  }, 'must have both a user and a password, with : / ? # @ and % in them written as %3A, %2F, %3F, %23, %40 and %25')

function isDecodable(value: string): boolean {
  try {
    return decodeURIComponent(value).length <= value.length
  } catch {
    return false
  }
}

/** Who mails are from: an address, with or without a name before it. */
export const mailFrom = z.string().refine((value) => {
  const [, name = '', address = ''] = /^(?:([^<>"@,;:\p{Cc}]{1,80})\s)?<([^<>]+)>$/u.exec(value) ?? []
  return name === '' ? isEmail(address || value) : isEmail(address)
}, 'must be an e-mail address such as console@example.com, or Back Office <console@example.com>')
