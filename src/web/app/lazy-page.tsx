import { use, type ComponentType } from 'react'

/**
 * A page that is fetched when it is first gone to. One that could not be fetched shows the page's error state, and each
 * further visit or "Try again" asks anew; the console itself is never reloaded.
 */
export function lazyPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  let Page: ComponentType | undefined
  let loading: Promise<void> | undefined
  let failure: { error: unknown } | undefined
  /** The router asks for this before it shows the page, and when a link to it is pointed at. */
  const preload = () =>
    (loading ??= load().then(
      (module) => void (Page = module[name]),
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
