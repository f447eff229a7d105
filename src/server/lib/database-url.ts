const urlForm = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is

/**
 * The URLs of single hosts that a URL of several stands for, in the form of libpq:
 * `postgres://account@a:5432,b:5433/name`. One of a single host stands for itself.
 */
export function splitHosts(url: string): string[] {
  const [, before, hosts, after] = urlForm.exec(url) ?? []
  return before !== undefined && hosts?.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url]
}

/** `a:5432`, for messages. Without the account and the password. */
export const nameHost = (url: string): string => {
  const { hostname, port, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  return host.startsWith('/') ? host : `${host || 'localhost'}:${port || 5432}`
}

const attributes = ['read-write', 'primary']

const isUrl = (url: string) => URL.canParse(url) && ['postgres:', 'postgresql:'].includes(new URL(url).protocol)

/** What is wrong with a database's URL. Null: nothing. */
export function findUrlProblem(value: string): string | null {
  const urls = splitHosts(value)
  if (!urls.every(isUrl)) return 'must be a URL that starts with postgres:// or postgresql://'
  const { searchParams } = new URL(urls[0]!)
  if (urls.length > 1 && urls.some((url) => new URL(url).hostname === ''))
    return 'must name a host before and after each comma'
  if (searchParams.get('host')?.includes(','))
    return 'must name several hosts before the database, as in //a:5432,b:5432/name'
  const wanted = searchParams.get('target_session_attrs')
  if (wanted !== null && !attributes.includes(wanted))
    return 'must have target_session_attrs=read-write or none: the console writes'
  return null
}
