import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { exportPaths, type ExportName } from '#contract/exports.ts'
import { exportSchemas } from '#contract/schemas/exports.ts'
import { listKeys } from '#contract/states.ts'
import { sheets } from './routes.ts'
import type { Sheet } from './sheet.ts'

/** What chooses no rows. */
const others = new Set(['page', 'limit', 'total', 'timeZone', 'payers'])
/** Of each form that a filter may take. */
const texts = ['login', 'EUR', '7', '2026-01-05', `0x${'a'.repeat(40)}`, '24-48', 'x']

const cases = listKeys(exportPaths).flatMap((name) =>
  Object.keys(exportSchemas[name].query.shape)
    .filter((filter) => !others.has(filter))
    .map((filter) => ({ name, filter })),
)

/** The request for the rows of a list's file, as text. */
function buildRequest(name: ExportName, given: Record<string, string>): string {
  const query = exportSchemas[name].query.parse(given)
  const sheet = sheets[name] as Sheet<object> | ((query: object) => Sheet<object>)
  return JSON.stringify((typeof sheet === 'function' ? sheet(query) : sheet).buildList(query))
}

/** The values that a filter takes: its choices, or the texts that have its form. */
function listValues(name: ExportName, filter: string): string[] {
  const { properties } = z.toJSONSchema(exportSchemas[name].query, { io: 'output', unrepresentable: 'any' })
  const schema = properties?.[filter]
  const { enum: one, items } = typeof schema === 'object' ? schema : {}
  const several = items && !Array.isArray(items) && typeof items === 'object' ? items.enum : undefined
  const choices = one ?? several ?? texts
  return choices.map(String).filter((value) => exportSchemas[name].query.safeParse({ [filter]: value }).success)
}

test.each(cases)('$name: the server narrows or orders by $filter', ({ name, filter }) => {
  // Amounts are compared inside a currency alone.
  const beside: Record<string, string> =
    /^(min|max)$/.test(filter) && 'currency' in exportSchemas[name].query.shape ? { currency: 'EUR' } : {}
  const plain = buildRequest(name, beside)
  expect(listValues(name, filter).some((value) => buildRequest(name, { ...beside, [filter]: value }) !== plain)).toBe(
    true,
  )
})
