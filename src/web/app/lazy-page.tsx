import { use, type ComponentType } from 'react'

/**
 * A page that is loaded at its first visit. A failure shows the page's error state, and each further visit or "Try
 * again" loads it again. The console is never reloaded.
 */
export function lazyPage(load: () => Promise<{ default: ComponentType }>) {
  let Page: ComponentType | undefined
  let loading: Promise<void> | undefined
  let failure: { error: unknown } | undefined
  /** The router calls this before it shows the page, and when the pointer is on a link to it. */
  const preload = () =>
    (loading ??= load().then(
      (module) => void (Page = module.default),
      (error: unknown) => {
        loading = undefined
        failure = { error }
      },
    ))
  function LazyPage() {
    if (Page) return <Page />
    if (failure) throw failure.error
    use(preload())
    return null
  }
  return Object.assign(LazyPage, { preload })
}
