import { escapeLine } from './printable.ts'

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
