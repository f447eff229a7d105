import { sessionEndHeader } from '#contract/auth.ts'
import { bankRoutes } from '#contract/bank.ts'
import { withoutBidiControls } from '#contract/bidi.ts'
import type { ReplyOf } from '#contract/route.ts'
import type { CsvLayout, CsvProfile } from '#contract/schemas/csv-profile.ts'
import { ApiError, buildUrl } from '#web/api.ts'
import { recordSessionEnd } from '#web/lib/session-end.ts'

export type ImportReply = ReplyOf<typeof bankRoutes.import>

/** No complete answer came. The operator reads the message. */
export class UploadError extends Error {
  override readonly name = 'UploadError'
}

const unknownOutcome = 'It may or may not have been imported: import it again to see, no line is taken twice.'

/** The longest name of a file that the server takes. */
const longestName = 200

interface Upload {
  file: File
  accountId: string | undefined
  /** Rows that are payments of their own, although equal lines are known. */
  takeRows?: number[] | undefined
  /** Only says what would come of a CSV file that is read so. */
  csvForm?: CsvProfile | CsvLayout
  signal: AbortSignal
  /** The share of the file that was sent, from 0 to 1. */
  onProgress?: (sent: number) => void
}

/** Sends a statement file as it is. `fetch` tells nothing of its progress, so this is an XMLHttpRequest. */
export function uploadStatement({
  file,
  accountId,
  takeRows,
  csvForm,
  signal,
  onProgress,
}: Upload): Promise<ImportReply> {
  const { promise, resolve, reject } = Promise.withResolvers<ImportReply>()
  const request = new XMLHttpRequest()
  const tried = csvForm && { dryRun: 'true' as const, csvProfile: JSON.stringify(csvForm) }
  const query = { fileName: file.name.slice(-longestName), accountId, takeRows: takeRows?.join(','), ...tried }
  request.open(bankRoutes.import.method, buildUrl(bankRoutes.import, { query }))
  request.setRequestHeader('accept', 'application/json')
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.timeout = (bankRoutes.import.timeoutSeconds ?? 0) * 1000
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total === 0 ? 1 : loaded / total))
  request.addEventListener('load', () => {
    recordSessionEnd(request.getResponseHeader(sessionEndHeader))
    const text = withoutBidiControls(request.responseText)
    // The server sends only what the route's reply schema names.
    if (request.status === 200) resolve(JSON.parse(text) as ImportReply)
    else reject(new ApiError(request.status, text || request.statusText))
  })
  const failures = { error: 'The connection was lost.', timeout: 'The server took too long.', abort: 'Stopped.' }
  for (const [event, failure] of Object.entries(failures))
    request.addEventListener(event, () => reject(new UploadError(`${failure} ${unknownOutcome}`)))
  signal.addEventListener('abort', () => request.abort(), { once: true })
  request.send(file)
  return promise
}
