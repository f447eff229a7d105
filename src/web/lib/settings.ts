interface Settings {
  demo: boolean
  /** Where transfers are shown in public, without a slash at the end; null shows no links. */
  explorerUrl: string | null
  /** Which build of the console this page is; null where the server does not say. */
  build: string | null
}

const readText = (value: unknown) => (typeof value === 'string' ? value : null)

/** What the server writes into the page; the defaults hold under `vite dev`, where nobody does. */
function readSettings(): Settings {
  const written = document.querySelector<HTMLMetaElement>('meta[name="console"]')?.content
  try {
    const given = JSON.parse(written ?? '') as { demo?: unknown; explorerUrl?: unknown; build?: unknown } | null
    const { demo, explorerUrl, build } = given ?? {}
    return { demo: demo === true, explorerUrl: readText(explorerUrl), build: readText(build) }
  } catch {
    return { demo: false, explorerUrl: null, build: null }
  }
}

export const settings = readSettings()
