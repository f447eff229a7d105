import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { html, type Markup, webRoot } from './html.ts'

/** The console's own built stylesheets. */
export interface PageStyles {
  stylesheets: readonly string[]
}

/** Their names change with each build. Empty while the web app is not built. */
export async function readPageStyles(): Promise<PageStyles> {
  const page = await readFile(join(webRoot, 'index.html'), 'utf8').catch(() => '')
  const links = page.matchAll(/<link [^>]*rel="stylesheet"[^>]*href="([^"]+)"/g)
  return { stylesheets: [...links].map(([, href]) => href ?? '') }
}

/** A page of the server. It works without scripts: the only one sets the theme before the first paint. */
export const renderServerPage = (title: string, { stylesheets }: PageStyles, body: Markup, links?: Markup): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Back Office</title>
        <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
        <script src="/theme.js"></script>
        ${[...stylesheets, '/written-page.css'].map((href) => html`<link rel="stylesheet" href="${href}" />`)}
      </head>
      <body class="written-page">
        <header>
          <a href="/">Back Office</a>
          ${links}
        </header>
        ${body}
      </body>
    </html>`.text.replaceAll(/^ {2,}(?=<)/gm, '')

/** Allows only our own files, and forms to the given target. */
const buildPolicy = (formAction: "'none'" | "'self'") =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

export const sendServerPage = (
  reply: FastifyReply,
  page: string,
  formAction: "'none'" | "'self'" = "'none'",
): FastifyReply =>
  reply.type('text/html; charset=utf-8').header('content-security-policy', buildPolicy(formAction)).send(page)
