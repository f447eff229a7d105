/** What the server writes into the page; the defaults hold under `vite dev`, where nobody does. */
function readSettings(): { demo: boolean } {
  const written = document.querySelector<HTMLMetaElement>('meta[name="console"]')?.content
  try {
    const given = JSON.parse(written ?? '') as { demo?: unknown } | null
    return { demo: given?.demo === true }
  } catch {
    return { demo: false }
  }
}

export const settings = readSettings()
