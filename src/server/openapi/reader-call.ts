import { buildCurl, formatJson } from './curl.ts'
import { html, renderInline, type Markup } from '#server/http/html.ts'
import { renderField, renderSchemaLink, renderSchema } from './reader-schema.ts'
import type { Operation, Parameter, Reply, Schema } from './types.ts'

const parameterPlaces = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const

const renderSection = (title: string, body: Markup | Markup[]) =>
  html`<section>
    <h5>${title}</h5>
    ${body}
  </section>`

function renderParameters(parameters: Parameter[]): Markup[] {
  return parameterPlaces.flatMap(([place, title]) => {
    const there = parameters.filter((parameter) => parameter.in === place)
    if (there.length === 0) return []
    const items = there.map(({ name, schema, required, description }) =>
      renderField({ name, schema, isRequired: required, description }),
    )
    return [
      renderSection(
        title,
        html`<ul class="fields">
          ${items}
        </ul>`,
      ),
    ]
  })
}

type Schemas = Record<string, Schema>

/** Shows the fields of a named body where it is sent, too. */
function renderBodyFields(schema: Schema, schemas: Schemas): Markup {
  const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.$ref === undefined || name === undefined) return renderSchema(schema)
  return html`<p class="kind">${renderSchemaLink(schema.$ref)}</p>
    ${renderSchema(schemas[name] ?? {})}`
}

function renderBody({ requestBody }: Operation, schemas: Schemas) {
  const [media] = Object.values(requestBody?.content ?? {})
  if (!requestBody || !media) return undefined
  const types = Object.keys(requestBody.content).join(', ')
  const needed = requestBody.required ? '' : ' (may be absent)'
  return renderSection(
    `Body${needed}`,
    html`<p class="kind">${types}</p>
      ${renderBodyFields(media.schema, schemas)}`,
  )
}

const isRefusal = (status: string) => /^[45]\d\d$/.test(status)

const renderRefusal = ([status, reply]: [string, Reply]) => {
  const { examples = {} } = reply.content?.['application/json'] ?? {}
  return Object.entries(examples).map(([code, { value }]) => {
    const { message = '' } = value as { message?: string }
    return html`<li><code>${status}</code> <code>${code}</code> <span>${message}</span></li>`
  })
}

function renderAnswers({ responses }: Operation): Markup {
  const answers = Object.entries(responses)
  const refusals = answers.filter(([status]) => isRefusal(status)).flatMap(renderRefusal)
  return html`${answers
    .filter(([status]) => !isRefusal(status) || !responses[status]?.content)
    .map(([status, { description, content = {} }]) =>
      renderSection(
        status === 'default' ? 'Any other answer' : `Answer ${status}`,
        html`<p>${renderInline(description)}</p>
          ${Object.entries(content).map(
            ([type, { schema }]) =>
              html`<p class="kind">${type}</p>
                ${renderSchema(schema)}`,
          )}`,
      ),
    )}
  ${
    refusals.length > 0 &&
    renderSection(
      'Refusals',
      html`<ul class="refusals">
        ${refusals}
      </ul>`,
    )
  }`
}

const renderSample = (title: string, text: string) =>
  html`<figure>
    <figcaption>${title}</figcaption>
    <pre>${text}</pre>
  </figure>`

function renderSamples(method: string, path: string, operation: Operation): Markup {
  const reply = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))
  const example = reply?.[1].content?.['application/json']?.example
  return html`<div class="samples">
    ${renderSample('Call', buildCurl(method, path, operation))}
    ${example !== undefined && renderSample(`Answer ${reply![0]}`, formatJson(example))}
  </div>`
}

/** The anchor inside a closed `details` opens it. */
const renderFolded = (operation: Operation, schemas: Schemas, mark: Markup, samples: Markup) =>
  html`<details class="call">
    <summary>${mark}<span class="summary">${renderInline(operation.summary)}</span></summary>
    <div class="about" id="${operation.operationId}">
      <div>
        <h4>${renderInline(operation.summary)}</h4>
        ${operation.description && html`<p>${renderInline(operation.description)}</p>`}
        ${renderParameters(operation.parameters ?? [])} ${renderBody(operation, schemas)} ${renderAnswers(operation)}
      </div>
      ${samples}
    </div>
  </details>`

export function renderCall(method: string, path: string, operation: Operation, schemas: Schemas): Markup {
  const mark = html`<span class="method ${method}">${method.toUpperCase()}</span><code class="path">${path}</code>`
  return renderFolded(operation, schemas, mark, renderSamples(method, path, operation))
}

/** An outgoing message, where the console is the caller. */
export function renderMessage(type: string, operation: Operation, schemas: Schemas): Markup {
  const mark = html`<span class="method event">EVENT</span><code class="path">${type}</code>`
  const example = operation.requestBody?.content['application/json']?.example ?? null
  return renderFolded(
    operation,
    schemas,
    mark,
    html`<div class="samples">${renderSample('What we send', formatJson(example))}</div>`,
  )
}
