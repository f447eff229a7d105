import { openApiRoutes } from '#contract/openapi.ts'
import { html, inline, type Markup } from '#server/http/html.ts'
import { writtenPage, type Looks } from '#server/http/server-page.ts'
import { callView, messageView } from './reader-call.ts'
import { schemaView } from './reader-schema.ts'
import type { OpenApiDocument } from './types.ts'

interface Entry {
  id: string
  tag: string
  mark: string
  label: string
  view: Markup
}

const idOf = (name: string) => `tag-${name.toLowerCase().replace(/\W+/g, '-')}`

/** `Console: users` → `Users`, where the door is named already. */
const shortOf = (tag: string) => tag.replace(/^Console: (.)/, (_, first: string) => first.toUpperCase())

/** Every call and message, in the order of the document. */
function entriesOf({ paths, webhooks, components: { schemas } }: OpenApiDocument): Entry[] {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      tag: operation.tags[0] ?? '',
      mark: method,
      label: operation.summary,
      view: callView(method, path, operation, schemas),
    })),
  )
  const messages = Object.entries(webhooks).map(([type, { post }]) => ({
    id: post.operationId,
    tag: post.tags[0] ?? '',
    mark: 'event',
    label: type,
    view: messageView(type, post, schemas),
  }))
  return [...calls, ...messages]
}

function contents({ 'x-tagGroups': groups }: OpenApiDocument, entries: Entry[]): Markup {
  const links = (tag: string) =>
    entries
      .filter((entry) => entry.tag === tag)
      .map(
        ({ id, mark, label }) =>
          html`<li>
            <a href="#${id}"><span class="method ${mark}">${mark}</span><span>${inline(label)}</span></a>
          </li>`,
      )
  return html`<nav aria-label="Contents">
    ${groups.map(
      ({ name, tags }) =>
        html`<h2>${name}</h2>
          ${tags.map(
            (tag) =>
              html`<details>
                <summary>${shortOf(tag)}</summary>
                <ul>
                  ${links(tag)}
                </ul>
              </details>`,
          )}`,
    )}
    <h2><a href="#schemas">Schemas</a></h2>
  </nav>`
}

const doorView = ({ tags }: OpenApiDocument, group: OpenApiDocument['x-tagGroups'][number], entries: Entry[]) =>
  html`<section class="door" id="${idOf(group.name)}">
    <h2>${group.name}</h2>
    <p class="lead">${inline(group.description)}</p>
    ${tags
      .filter(({ name }) => group.tags.includes(name))
      .map(
        ({ name, description }) =>
          html`<section class="tag" id="${idOf(name)}">
            <h3>${shortOf(name)}</h3>
            <p>${inline(description)}</p>
            ${entries.filter((entry) => entry.tag === name).map(({ view }) => view)}
          </section>`,
      )}
  </section>`

const schemasView = ({ components: { schemas } }: OpenApiDocument) =>
  html`<section class="door" id="schemas">
    <h2>Schemas</h2>
    ${Object.entries(schemas).map(
      ([name, schema]) =>
        html`<details class="call">
          <summary><code class="path">${name}</code></summary>
          <div class="about" id="schema-${name}"><div>${schemaView(schema)}</div></div>
        </details>`,
    )}
  </section>`

/** The whole description as one page, without a script of its own. */
export function readerPage(document: OpenApiDocument, looks: Looks): string {
  const entries = entriesOf(document)
  const { info, servers } = document
  return writtenPage(
    'API',
    looks,
    html`<div class="columns">
      ${contents(document, entries)}
      <main>
        <h1>API <small>version ${info.version}</small></h1>
        ${info.description.split('\n\n').map((text) => html`<p class="lead">${inline(text)}</p>`)}
        <p class="lead">In the commands below, <code>$CONSOLE</code> is <code>${servers[0]?.url}</code>.</p>
        ${document['x-tagGroups'].map((group) => doorView(document, group, entries))} ${schemasView(document)}
      </main>
    </div>`,
    html`<a href="${openApiRoutes.document.path}">openapi.json</a>`,
  )
}

/** For a browser in which nobody is signed in. */
export const signInPage = (looks: Looks): string =>
  writtenPage(
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
