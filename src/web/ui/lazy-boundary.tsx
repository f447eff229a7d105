import { Children, Component, createContext, Suspense, use, type ComponentType, type ReactNode } from 'react'
import { toast } from './toast.ts'

/** The attempt of a `LazyBoundary`. A failure to load belongs to the attempts that waited for it. */
const AttemptContext = createContext<object | null>(null)

/**
 * Like React's `lazy`, but the next attempt of the surrounding `LazyBoundary` loads a failed part again. Some browsers
 * remember a failure until the page is reloaded, so the toast offers that too. `prefetch` loads the part before its use
 * and ignores a failure, which the use reports.
 */
export function lazy<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let Part: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  let attempts = new Set<object | null>()
  let failure: { error: unknown; attempts: ReadonlySet<object | null> } | undefined
  const fetchFor = (attempt: object | null) => {
    // A use during a prefetch shares its outcome: React shows nothing for a part that waits for one promise after another.
    attempts.add(attempt)
    return (loading ??= load().then(
      (module) => void (Part = module.default),
      (error: unknown) => {
        failure = { error, attempts }
        attempts = new Set()
        loading = undefined
      },
    ))
  }
  function Lazy(props: Props) {
    const attempt = use(AttemptContext)
    if (Part) return <Part {...props} />
    if (failure?.attempts.has(attempt)) throw failure.error
    use(fetchFor(attempt))
    return null
  }
  return Object.assign(Lazy, { prefetch: () => void fetchFor(null) })
}

/** Loads code before its use. A failure is ignored, since the use reports it. */
export const prefetch = (load: () => Promise<unknown>): void => void load().catch(() => {})

/** Offers to reload only while online, since a reload offline loses the page. */
function reportFailure() {
  const { onLine } = navigator
  toast({
    tone: 'destructive',
    title: 'Could not be loaded',
    description: onLine
      ? 'Check the connection and try again, or reload the console.'
      : 'You are offline. Try again when the connection is back.',
    // The browser asks first where there is unsent input. The connection may go while the toast is shown.
    ...(onLine && {
      action: { label: 'Reload', run: () => (navigator.onLine ? window.location.reload() : reportFailure()) },
    }),
  })
}

interface LazyBoundaryProps {
  /** Shown while the part loads, and after a failure without `failure`. */
  fallback: ReactNode
  /** Shown after a failure instead. */
  failure?: ComponentType<{ onRetry: () => void }>
  onFailure?: () => void
  /** Made with `lazy` of this file. Without children a failure is forgotten, and the next part is a new attempt. */
  children: ReactNode
}
interface LazyBoundaryState {
  attempt: object
  hasFailed: boolean
}

/** Contains a part that is loaded when needed. A failure to load is reported and breaks nothing else. */
export class LazyBoundary extends Component<LazyBoundaryProps, LazyBoundaryState> {
  override state: LazyBoundaryState = { attempt: {}, hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ children }: LazyBoundaryProps, { hasFailed }: LazyBoundaryState) {
    return hasFailed && Children.toArray(children).length === 0 ? { attempt: {}, hasFailed: false } : null
  }

  /** Stops listening for signs that a retry may succeed. */
  waiting = new AbortController()

  override componentDidCatch() {
    if (!this.props.failure) reportFailure()
    // Retry when the connection is back, or with the operator's next action.
    for (const sign of ['online', 'keydown', 'pointerdown'])
      window.addEventListener(sign, this.retry, { signal: this.waiting.signal })
    this.props.onFailure?.()
  }

  override componentWillUnmount() {
    this.waiting.abort()
  }

  retry = () => {
    this.waiting.abort()
    this.waiting = new AbortController()
    this.setState({ attempt: {}, hasFailed: false })
  }

  override render() {
    const { fallback, failure: Failed, children } = this.props
    const { attempt, hasFailed } = this.state
    if (hasFailed) return Failed ? <Failed onRetry={this.retry} /> : fallback
    return (
      <AttemptContext value={attempt}>
        <Suspense fallback={fallback}>{children}</Suspense>
      </AttemptContext>
    )
  }
}
