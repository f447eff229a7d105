import * as z from 'zod/mini'

const Settings = z.object({ demo: z._default(z.boolean(), false) })

/** What the server writes into the page; the defaults hold under `vite dev`, where nobody does. */
function readSettings(): z.infer<typeof Settings> {
  const written = document.querySelector<HTMLMetaElement>('meta[name="console"]')?.content
  try {
    return Settings.parse(JSON.parse(written ?? '{}'))
  } catch {
    return { demo: false }
  }
}

export const settings = readSettings()
