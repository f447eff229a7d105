import { escapeLine } from './printable.ts'

/** Columns of text for a terminal. Control characters of what others sent are shown as `?`, never obeyed. */
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
