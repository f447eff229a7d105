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

/** The settings that the server writes into the page. Under `vite dev` the defaults apply. */
function readSettings(): Settings {
  const written = document.querySelector<HTMLMetaElement>('meta[name="console"]')?.content
  try {
    const given = JSON.parse(written ?? '') as Partial<Record<keyof Settings, unknown>> | null
    const { demo, explorerUrl, build, provider, localSignIn } = given ?? {}
    return {
      demo: demo === true,
      explorerUrl: readText(explorerUrl),
      build: readText(build),
      provider: readText(provider),
      localSignIn: localSignIn !== false,
    }
  } catch {
    return { demo: false, explorerUrl: null, build: null, provider: null, localSignIn: true }
  }
}

export const settings = readSettings()
