interface Settings {
  demo: boolean
  /** Where transfers are shown in public, without a slash at the end; null shows no links. */
  explorerUrl: string | null
}

/** What the server writes into the page; the defaults hold under `vite dev`, where nobody does. */
function readSettings(): Settings {
  const written = document.querySelector<HTMLMetaElement>('meta[name="console"]')?.content
  try {
    const given = JSON.parse(written ?? '') as { demo?: unknown; explorerUrl?: unknown } | null
    const { demo, explorerUrl } = given ?? {}
    return { demo: demo === true, explorerUrl: typeof explorerUrl === 'string' ? explorerUrl : null }
  } catch {
    return { demo: false, explorerUrl: null }
  }
}

export const settings = readSettings()
