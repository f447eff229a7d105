import { html, renderInline, type Markup } from '#server/http/html.ts'
import type { Schema } from './types.ts'

const readRefName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)
export const renderSchemaLink = (ref: string): Markup =>
  html`<a href="#schema-${readRefName(ref)}">${readRefName(ref)}</a>`

const isNull = (schema: Schema) => schema.type === 'null'

/** The type of a schema in a few words: `string or null`, `array of Member`. */
export function renderKind(schema: Schema): Markup {
  if (schema.$ref) return renderSchemaLink(schema.$ref)
  const options = schema.anyOf ?? schema.oneOf
  if (options) {
    const kinds = options.map((option) => (isNull(option) ? html`null` : renderKind(option)))
    return html`${kinds.map((kind, at) => [at > 0 && ' or ', kind])}`
  }
  if (schema.type === 'array' && schema.items) return html`array of ${renderKind(schema.items)}`
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`
  if (schema.format === 'date-time') return html`instant`
  if (schema.format === 'binary') return html`bytes`
  return html`${schema.format ?? schema.type ?? 'any JSON'}`
}

function describeRange(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least === undefined && most === undefined) return []
  if (least === undefined) return [`at most ${most}${unit}`]
  return [most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`]
}

/** The limits of a value, besides its type. */
function listLimits(schema: Schema): string[] {
  const inner = schema.anyOf?.find((option) => !isNull(option)) ?? schema
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: preset } = inner
  return [
    ...describeRange(minimum, maximum, ''),
    ...describeRange(minLength, maxLength, ' characters'),
    ...describeRange(minItems, maxItems, ' items'),
    ...(preset === undefined ? [] : [`else ${JSON.stringify(preset)}`]),
  ]
}

const listChoices = (schema: Schema) => (schema.anyOf?.find((option) => option.enum) ?? schema).enum ?? []

interface Field {
  name: string
  schema: Schema
  isRequired: boolean
  description?: string | undefined
}

export function renderField({ name, schema, isRequired, description }: Field): Markup {
  const choices = listChoices(schema)
  const limits = listLimits(schema)
  const text = description ?? schema.description
  const inner = schema.items?.properties ? schema.items : (schema.anyOf?.find((option) => option.properties) ?? schema)
  return html`<li>
    <p class="field">
      <code>${name}</code> <span class="kind">${renderKind(schema)}${limits.map((limit) => `, ${limit}`)}</span>
      ${isRequired && html`<span class="needed">required</span>`}
    </p>
    ${text && html`<p>${renderInline(text)}</p>`}
    ${choices.length > 0 && html`<p class="choices">${choices.map((choice) => html`<code>${String(choice)}</code> `)}</p>`}
    ${inner.properties && renderFields(inner)}
  </li>`
}

/** The fields of an object, with those of inner objects. */
export const renderFields = ({ properties = {}, required = [] }: Schema): Markup =>
  html`<ul class="fields">
    ${Object.entries(properties).map(([name, schema]) =>
      renderField({ name, schema, isRequired: required.includes(name) }),
    )}
  </ul>`

/** The schema of a body: its fields if it is an object, otherwise its type. */
export function renderSchema(schema: Schema): Markup {
  if (schema.properties) return renderFields(schema)
  const objects = (schema.anyOf ?? schema.oneOf ?? []).filter((option) => option.properties)
  if (objects.length > 0)
    return html`<p>One of:</p>
      ${objects.map((option) => html`<div class="option">${renderFields(option)}</div>`)}`
  const { enum: choices = [] } = schema
  if (choices.length > 0)
    return html`<p class="choices">${choices.map((choice) => html`<code>${String(choice)}</code> `)}</p>`
  return html`<p class="kind">${renderKind(schema)}</p>`
}
