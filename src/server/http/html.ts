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
