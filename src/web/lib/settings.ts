interface Settings {
  demo: boolean
  /** The block explorer's address without a trailing slash. Null shows no links. */
  explorerUrl: string | null
  /** The build of this page. Null where the server does not name it. */
  build: string | null
  /** What the provider is called that operators can sign in with. Null where there is none. */
  provider: string | null
  /** False where passwords are for emergencies alone. */
  localSignIn: boolean
}

const readText = (value: unknown) => (typeof value === 'string' ? value : null)

/** What the server has written into the page. Nothing under `vite dev`. */
function readWritten(): Partial<Record<keyof Settings, unknown>> {
  try {
    return JSON.parse(document.querySelector<HTMLMetaElement>('[name=console]')!.content)
  } catch {
    return {}
  }
}

function readSettings(): Settings {
  const { demo, explorerUrl, build, provider, localSignIn } = readWritten()
  return {
    demo: demo === true,
    explorerUrl: readText(explorerUrl),
    build: readText(build),
    provider: readText(provider),
    localSignIn: localSignIn !== false,
  }
}

export const settings = readSettings()
