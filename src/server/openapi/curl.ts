import type { Json, Operation } from './types.ts'

export const formatJson = (value: Json): string => JSON.stringify(value, null, 2)

/** Quotes a text for a shell. */
const quoteShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

const files: Record<string, string> = { 'image/jpeg': 'front.jpg', 'application/x-ndjson': 'members.ndjson' }

function buildBodyOptions({ requestBody }: Operation): string[] {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (!type || !media) return []
  const header = `-H 'Content-Type: ${type}'`
  if (files[type]) return [header, `--data-binary @${files[type]}`]
  return media.example === undefined ? [] : [header, `-d ${quoteShell(formatJson(media.example))}`]
}

const schemes: Record<string, string[]> = {
  platformKey: [`-H "Authorization: Bearer $PLATFORM_KEY"`],
  session: [`-b "$SESSION_COOKIE"`],
  standardWebhook: [`-H "webhook-id: $ID"`, `-H "webhook-timestamp: $TIMESTAMP"`, `-H "webhook-signature: $SIGNATURE"`],
}

/** The call with the example's values as a command. `$CONSOLE` is the console's address. */
export function buildCurl(method: string, path: string, operation: Operation): string {
  const { parameters = [], security } = operation
  const value = (name: string) => String(parameters.find((each) => each.name === name)?.example ?? name)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(value(name)))
  const query = parameters
    .filter((each) => each.in === 'query' && each.example !== undefined)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join('&')
  const headers = parameters
    .filter((each) => each.in === 'header' && each.example && ['If-Match', 'Idempotency-Key'].includes(each.name))
    .map(({ name, example }) => `-H ${quoteShell(`${name}: ${String(example)}`)}`)
  const [scheme] = Object.keys(security[0] ?? {})
  const verb = method === 'get' ? 'curl' : `curl -X ${method.toUpperCase()}`
  const address = `"$CONSOLE${filled}${query && `?${query}`}"`
  return [`${verb} ${address}`, ...(schemes[scheme ?? ''] ?? []), ...headers, ...buildBodyOptions(operation)].join(
    ' \\\n  ',
  )
}
