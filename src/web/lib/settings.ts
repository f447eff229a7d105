interface Settings {
  demo: boolean
  /** The block explorer's address without a trailing slash. Null shows no links. */
  explorerUrl: string | null
  /** The build of this page. Null where the server does not name it. */
  build: string | null
}

const readText = (value: unknown) => (typeof value === 'string' ? value : null)

/** The settings that the server writes into the page. Under `vite dev` the defaults apply. */
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
