/** Replaces control characters and line ends by `?`, so that a terminal does not obey texts of others. */
export const escapeLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')

/** The same for a whole output. Keeps its lines. */
export const escapeOutput = (text: string): string => text.split('\n').map(escapeLine).join('\n')

/** Such as `1 file` and `2,000 files`. */
export const count = (number: number, one: string, more = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : more}`

/** Formats columns of text for a terminal. Replaces control characters by `?`. */
export function formatTable(headings: string[], rows: string[][]): string {
  const clean = rows.map((row) => row.map(escapeLine))
  const widths = headings.map((heading, at) => Math.max(heading.length, ...clean.map((row) => row[at]?.length ?? 0)))
  return [headings, ...clean]
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const plainEveryMs = 5000
const drawEveryMs = 100

/** Shows how far a long command is: one line that redraws itself on a terminal, otherwise a line every few seconds. */
export function createReporter(out: NodeJS.WriteStream) {
  let shownAt = out.isTTY ? 0 : performance.now()
  let isDrawn = false
  return {
    update(describe: () => string): void {
      const now = performance.now()
      if (now - shownAt < (out.isTTY ? drawEveryMs : plainEveryMs)) return
      shownAt = now
      out.write(out.isTTY ? `\r\u001b[K${describe()}` : `${describe()}\n`)
      isDrawn = true
    },
    /** Clears the terminal's line. */
    end(): void {
      if (isDrawn && out.isTTY) out.write('\r\u001b[K')
      isDrawn = false
    },
  }
}
