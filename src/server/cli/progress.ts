import type { ImportProgress } from '#server/platform/import.ts'

const barWidth = 24
const plainEveryMs = 5000
const drawEveryMs = 100
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

/**
 * Shows the progress of an import: one line that redraws itself on a terminal, otherwise a line every few seconds. `totalBytes`
 * is undefined for a pipe.
 */
export function showProgress(out: NodeJS.WriteStream, totalBytes: number | undefined) {
  const begun = performance.now()
  let shownAt = out.isTTY ? 0 : begun
  let isDrawn = false

  function describe({ bytes, lines, refused }: ImportProgress): string {
    const share = totalBytes ? Math.min(1, bytes / totalBytes) : undefined
    const perSecond = Math.round(lines / Math.max(0.001, (performance.now() - begun) / 1000))
    return [
      share !== undefined && out.isTTY && `[${'#'.repeat(Math.floor(share * barWidth)).padEnd(barWidth, '.')}]`,
      share !== undefined && `${Math.floor(share * 100)} %`,
      totalBytes ? `${megabytes(bytes)} of ${megabytes(totalBytes)}` : megabytes(bytes),
      `${lines.toLocaleString('en')} lines`,
      `${perSecond.toLocaleString('en')} lines/s`,
      refused > 0 && `${refused.toLocaleString('en')} refused`,
    ]
      .filter(Boolean)
      .join('  ')
  }
  return {
    update(progress: ImportProgress): void {
      const now = performance.now()
      if (now - shownAt < (out.isTTY ? drawEveryMs : plainEveryMs)) return
      shownAt = now
      out.write(out.isTTY ? `\r\u001b[K${describe(progress)}` : `${describe(progress)}\n`)
      isDrawn = true
    },
    /** Clears the terminal's line. */
    end(): void {
      if (isDrawn && out.isTTY) out.write('\r\u001b[K')
    },
  }
}
