import { curlOf, shownJson } from './curl.ts'
import { html, inline, type Markup } from '#server/http/html.ts'
import { fieldItem, schemaLink, schemaView } from './reader-schema.ts'
import type { Operation, Parameter, Reply, Schema } from './types.ts'

const places = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const

const section = (title: string, body: Markup | Markup[]) =>
  html`<section>
    <h5>${title}</h5>
    ${body}
  </section>`

function parametersView(parameters: Parameter[]): Markup[] {
  return places.flatMap(([place, title]) => {
    const there = parameters.filter((parameter) => parameter.in === place)
    if (there.length === 0) return []
    const items = there.map(({ name, schema, required, description }) =>
      fieldItem({ name, schema, isRequired: required, description }),
    )
    return [
      section(
        title,
        html`<ul class="fields">
          ${items}
        </ul>`,
      ),
    ]
  })
}

type Schemas = Record<string, Schema>

/** A named body's fields stand where it is sent, too. */
function bodyFields(schema: Schema, schemas: Schemas): Markup {
  const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.$ref === undefined || name === undefined) return schemaView(schema)
  return html`<p class="kind">${schemaLink(schema.$ref)}</p>
    ${schemaView(schemas[name] ?? {})}`
}

function bodyView({ requestBody }: Operation, schemas: Schemas) {
  const [media] = Object.values(requestBody?.content ?? {})
  if (!requestBody || !media) return undefined
  const types = Object.keys(requestBody.content).join(', ')
  const needed = requestBody.required ? '' : ' (may be absent)'
  return section(
    `Body${needed}`,
    html`<p class="kind">${types}</p>
      ${bodyFields(media.schema, schemas)}`,
  )
}

const isRefusal = (status: string) => /^[45]\d\d$/.test(status)

const refusalView = ([status, reply]: [string, Reply]) => {
  const { examples = {} } = reply.content?.['application/json'] ?? {}
  return Object.entries(examples).map(([code, { value }]) => {
    const { message = '' } = value as { message?: string }
    return html`<li><code>${status}</code> <code>${code}</code> <span>${message}</span></li>`
  })
}

function answersView({ responses }: Operation): Markup {
  const answers = Object.entries(responses)
  const refusals = answers.filter(([status]) => isRefusal(status)).flatMap(refusalView)
  return html`${answers
    .filter(([status]) => !isRefusal(status) || !responses[status]?.content)
    .map(([status, { description, content = {} }]) =>
      section(
        status === 'default' ? 'Any other answer' : `Answer ${status}`,
        html`<p>${inline(description)}</p>
          ${Object.entries(content).map(
            ([type, { schema }]) =>
              html`<p class="kind">${type}</p>
                ${schemaView(schema)}`,
          )}`,
      ),
    )}
  ${
    refusals.length > 0 &&
    section(
      'Refusals',
      html`<ul class="refusals">
        ${refusals}
      </ul>`,
    )
  }`
}

const sample = (title: string, text: string) =>
  html`<figure>
    <figcaption>${title}</figcaption>
    <pre>${text}</pre>
  </figure>`

function samplesView(method: string, path: string, operation: Operation): Markup {
  const reply = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))
  const example = reply?.[1].content?.['application/json']?.example
  return html`<div class="samples">
    ${sample('Call', curlOf(method, path, operation))}
    ${example !== undefined && sample(`Answer ${reply![0]}`, shownJson(example))}
  </div>`
}

/** Within a closed `details` the anchor opens it. */
const folded = (operation: Operation, schemas: Schemas, mark: Markup, samples: Markup) =>
  html`<details class="call">
    <summary>${mark}<span class="summary">${inline(operation.summary)}</span></summary>
    <div class="about" id="${operation.operationId}">
      <div>
        <h4>${inline(operation.summary)}</h4>
        ${operation.description && html`<p>${inline(operation.description)}</p>`}
        ${parametersView(operation.parameters ?? [])} ${bodyView(operation, schemas)} ${answersView(operation)}
      </div>
      ${samples}
    </div>
  </details>`

export function callView(method: string, path: string, operation: Operation, schemas: Schemas): Markup {
  const mark = html`<span class="method ${method}">${method.toUpperCase()}</span><code class="path">${path}</code>`
  return folded(operation, schemas, mark, samplesView(method, path, operation))
}

/** A message that we send: the roles are turned round. */
export function messageView(type: string, operation: Operation, schemas: Schemas): Markup {
  const mark = html`<span class="method event">EVENT</span><code class="path">${type}</code>`
  const example = operation.requestBody?.content['application/json']?.example ?? null
  return folded(
    operation,
    schemas,
    mark,
    html`<div class="samples">${sample('What we send', shownJson(example))}</div>`,
  )
}
