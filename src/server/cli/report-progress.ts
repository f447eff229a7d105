const plainEveryMs = 5000
const drawEveryMs = 100

/** Shows how far a long command is: one line that redraws itself on a terminal, otherwise a line every few seconds. */
export function createReporter(out: NodeJS.WriteStream) {
  let shownAt = out.isTTY ? 0 : performance.now()
  let isDrawn = false
  return {
    update(text: string): void {
      const now = performance.now()
      if (now - shownAt < (out.isTTY ? drawEveryMs : plainEveryMs)) return
      shownAt = now
      out.write(out.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
      isDrawn = true
    },
    /** Clears the terminal's line. */
    end(): void {
      if (isDrawn && out.isTTY) out.write('\r\u001b[K')
      isDrawn = false
    },
  }
}
