import { buildExcerpt } from './excerpt.ts'
import { post, type PostRequest } from './outbound-http.ts'
import { parseRetryAfter, type TryOutcome } from './signed-post.ts'

const timeoutMs = 15_000

interface ChatMessage extends Pick<PostRequest, 'allowsPrivate' | 'signal'> {
  /** An incoming webhook. Anyone who knows it can write to the chat. */
  url: string
  text: string
}

/** What Slack, Mattermost, Teams and others take: one text. */
export const buildChatBody = (text: string): string => JSON.stringify({ text })

/** One try to write to a chat. A failure is an outcome. Throws only if `signal` aborts it. */
export async function postToChat({ url, text, ...rest }: ChatMessage): Promise<TryOutcome> {
  const begun = performance.now()
  const target = new URL(url)
  const answer = await post({
    ...rest,
    url: target,
    headers: { 'content-type': 'application/json', 'user-agent': 'back-office' },
    body: buildChatBody(text),
    timeoutMs,
  })
  const { status, failure, retryAfter } = answer
  const success = failure === null && status !== null && status >= 200 && status < 300
  const secrets = [
    target.href,
    target.pathname,
    target.search,
    ...target.pathname.split('/'),
    ...target.searchParams.values(),
  ]
  return {
    success,
    errorMessage: success ? null : (failure ?? `HTTP ${status}`),
    httpStatus: status,
    latencyMs: Math.round(performance.now() - begun),
    responseExcerpt: buildExcerpt(
      answer.text,
      secrets.filter((part) => part.length > 3),
    ),
    retryAfter: success ? undefined : parseRetryAfter(retryAfter, new Date()),
  }
}
