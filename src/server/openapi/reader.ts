import { openApiRoutes } from '#contract/openapi.ts'
import { html, renderInline, type Markup } from '#server/http/html.ts'
import { renderServerPage, type PageStyles } from '#server/http/server-page.ts'
import { renderCall, renderMessage } from './reader-call.ts'
import { renderSchema } from './reader-schema.ts'
import type { OpenApiDocument } from './types.ts'

interface Entry {
  id: string
  tag: string
  mark: string
  label: string
  view: Markup
}

const buildAnchor = (name: string) => `tag-${name.toLowerCase().replace(/\W+/g, '-')}`

/** `Console: members` → `Members`, under a heading that already names the API. */
const shortenTag = (tag: string) => tag.replace(/^Console: (.)/, (_, first: string) => first.toUpperCase())

/** Every call and message, in the order of the document. */
function listEntries({ paths, webhooks, components: { schemas } }: OpenApiDocument): Entry[] {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      tag: operation.tags[0] ?? '',
      mark: method,
      label: operation.summary,
      view: renderCall(method, path, operation, schemas),
    })),
  )
  const messages = Object.entries(webhooks).map(([type, { post }]) => ({
    id: post.operationId,
    tag: post.tags[0] ?? '',
    mark: 'event',
    label: type,
    view: renderMessage(type, post, schemas),
  }))
  return [...calls, ...messages]
}

function renderContents({ 'x-tagGroups': groups }: OpenApiDocument, entries: Entry[]): Markup {
  const links = (tag: string) =>
    entries
      .filter((entry) => entry.tag === tag)
      .map(
        ({ id, mark, label }) =>
          html`<li>
            <a href="#${id}"><span class="method ${mark}">${mark}</span><span>${renderInline(label)}</span></a>
          </li>`,
      )
  return html`<nav aria-label="Contents">
    ${groups.map(
      ({ name, tags }) =>
        html`<h2>${name}</h2>
          ${tags.map(
            (tag) =>
              html`<details>
                <summary>${shortenTag(tag)}</summary>
                <ul>
                  ${links(tag)}
                </ul>
              </details>`,
          )}`,
    )}
    <h2><a href="#schemas">Schemas</a></h2>
  </nav>`
}

const renderTagGroup = ({ tags }: OpenApiDocument, group: OpenApiDocument['x-tagGroups'][number], entries: Entry[]) =>
  html`<section class="group" id="${buildAnchor(group.name)}">
    <h2>${group.name}</h2>
    <p class="lead">${renderInline(group.description)}</p>
    ${tags
      .filter(({ name }) => group.tags.includes(name))
      .map(
        ({ name, description }) =>
          html`<section class="tag" id="${buildAnchor(name)}">
            <h3>${shortenTag(name)}</h3>
            <p>${renderInline(description)}</p>
            ${entries.filter((entry) => entry.tag === name).map(({ view }) => view)}
          </section>`,
      )}
  </section>`

const renderSchemas = ({ components: { schemas } }: OpenApiDocument) =>
  html`<section class="group" id="schemas">
    <h2>Schemas</h2>
    ${Object.entries(schemas).map(
      ([name, schema]) =>
        html`<details class="call">
          <summary><code class="path">${name}</code></summary>
          <div class="about" id="schema-${name}"><div>${renderSchema(schema)}</div></div>
        </details>`,
    )}
  </section>`

/** The whole description as one page without its own script. */
export function renderReaderPage(document: OpenApiDocument, looks: PageStyles): string {
  const entries = listEntries(document)
  const { info, servers } = document
  return renderServerPage(
    'API',
    looks,
    html`<div class="columns">
      ${renderContents(document, entries)}
      <main>
        <h1>API <small>version ${info.version}</small></h1>
        ${info.description.split('\n\n').map((text) => html`<p class="lead">${renderInline(text)}</p>`)}
        <p class="lead">In the commands below, <code>$CONSOLE</code> is <code>${servers[0]?.url}</code>.</p>
        ${document['x-tagGroups'].map((group) => renderTagGroup(document, group, entries))} ${renderSchemas(document)}
      </main>
    </div>`,
    html`<a href="${openApiRoutes.document.path}">openapi.json</a>`,
  )
}

/** Shown without a session. */
export const renderSignInPage = (looks: PageStyles): string =>
  renderServerPage(
    'API',
    looks,
    html`<main class="alone">
      <h1>The API’s description</h1>
      <p class="lead">It is shown to operators. Sign in to the console, then open this page again.</p>
      <p><a class="button" href="/login">Sign in</a></p>
      <p class="lead">A program asks for it with a platform key:</p>
      <pre>curl "$CONSOLE/api/openapi.json" -H "Authorization: Bearer $PLATFORM_KEY"</pre>
    </main>`,
  )
