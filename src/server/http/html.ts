import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '#server/lib/hash.ts'

export const webRoot = join(import.meta.dirname, '../../../dist/web')

export interface WebBuild {
  /** The page with placeholders that each reply fills. */
  template: string
  /** Changes with every file of the web app, because the page contains their hashes. */
  id: string
}

/** The built web app. Null if none is built. */
export async function readWebBuild(): Promise<WebBuild | null> {
  const template = await readFile(join(webRoot, 'index.html'), 'utf8').catch(() => null)
  return template === null ? null : { template, id: sha256(template).toString('hex').slice(0, 12) }
}

/** Markup that is already escaped. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
type HtmlValue = string | number | Markup | undefined | false | null | readonly HtmlValue[]

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function render(part: HtmlValue): string {
  if (part === undefined || part === null || part === false) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(render).join('')
  return escapeText(String(part))
}

/** A template that escapes its values, except markup. Absent and false values are empty. */
export const html = (texts: TemplateStringsArray, ...parts: HtmlValue[]): Markup =>
  new Markup(texts.map((text, at) => text + render(parts[at])).join(''))

/** Renders `code` and **strong** in a text. */
export const renderInline = (text: string): Markup[] =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
    return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : html`${part}`
  })
