import { expect, test } from 'vitest'
import { readPreview, readRows, sampleRows } from './csv-preview.ts'

const read = (text: string, layout: Partial<Parameters<typeof readPreview>[1]> = {}) =>
  readPreview(new TextEncoder().encode(text).buffer, { encoding: 'utf-8', delimiter: ';', headerRow: 0, ...layout })

test('a preview keeps quoted delimiters, quotes and line ends', () => {
  expect(read('Day;Text\r\n03.11.;"a;b ""c""\nd"\r\n').preview).toEqual([['03.11.', 'a;b "c"\nd']])
})

test('a preview has the first 5 rows behind the headings', () => {
  const rows = Array.from({ length: 9 }, (_, at) => `${at};x`)
  const { headings, preview } = read(['top', 'Day;Text', ...rows].join('\n'), { headerRow: 1 })
  expect(headings).toEqual(['Day', 'Text'])
  expect(preview).toHaveLength(5)
  expect(preview[0]).toEqual(['0', 'x'])
})

test('a file without headings has none in its preview', () => {
  expect(read('1,2\n3,4', { delimiter: ',', headerRow: -1 })).toEqual({
    headings: [],
    preview: [
      ['1', '2'],
      ['3', '4'],
    ],
  })
})

test('a question about the columns carries rows up to a limit', () => {
  const table = readRows(
    new TextEncoder().encode(`Tag;Text\n${Array.from({ length: 500 }, (_, at) => `${at};x`).join('\n')}`).buffer,
    { encoding: 'utf-8', delimiter: ';', headerRow: 0 },
  )
  expect(table.rows).toHaveLength(500)
  expect(sampleRows(table)).toMatchObject({ headings: ['Tag', 'Text'] })
  expect(sampleRows(table).rows).toHaveLength(100)
  const long = {
    headings: ['A'],
    rows: Array.from({ length: 50 }, () => Array.from({ length: 20 }, () => '가'.repeat(200))),
  }
  expect(new TextEncoder().encode(JSON.stringify(sampleRows(long))).length).toBeLessThan(60_000)
})
