import { Children, Component, createContext, Suspense, use, type ComponentType, type ReactNode } from 'react'
import { toast } from './toast.ts'

/** Which try of which `LazyBoundary` a part is fetched for: a failure holds for that try alone. */
const AttemptContext = createContext<object | null>(null)

/**
 * As React's `lazy`, but a part that could not be fetched is asked for again by the next try of the `LazyBoundary` around it.
 * Some browsers keep a failure until the page is reloaded, so what tells of it offers that too. `prefetch` fetches the
 * part before its use, which then shows it at once; if that fails, the use itself will tell.
 */
export function lazy<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let Part: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  let failure: { error: unknown; attempt: object | null } | undefined
  const fetchFor = (attempt: object | null) =>
    (loading ??= load().then(
      (module) => void (Part = module.default),
      (error: unknown) => {
        loading = undefined
        failure = { error, attempt }
      },
    ))
  function Lazy(props: Props) {
    const attempt = use(AttemptContext)
    if (Part) return <Part {...props} />
    if (failure?.attempt === attempt) throw failure?.error
    use(fetchFor(attempt))
    return null
  }
  return Object.assign(Lazy, { prefetch: () => void fetchFor(null) })
}

/** Fetches code ahead of its use; if that fails, the use itself will tell. */
export const prefetch = (load: () => Promise<unknown>): void => void load().catch(() => {})

interface LazyBoundaryProps {
  /** Stands in place while the part comes, and again when it could not be fetched. */
  fallback: ReactNode
  /** Stands there instead after a failure. */
  failure?: ComponentType<{ onRetry: () => void }>
  onFailure?: () => void
  /** Made with `lazy` of this file. When nothing is left in here, a failure is forgotten: what comes next is a new try. */
  children: ReactNode
}
interface LazyBoundaryState {
  attempt: object
  hasFailed: boolean
}

/** Holds a part that is fetched when it is needed; a failure to fetch it is told, and costs nothing else. */
export class LazyBoundary extends Component<LazyBoundaryProps, LazyBoundaryState> {
  override state: LazyBoundaryState = { attempt: {}, hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ children }: LazyBoundaryProps, { hasFailed }: LazyBoundaryState) {
    return hasFailed && Children.toArray(children).length === 0 ? { attempt: {}, hasFailed: false } : null
  }

  /** Ends the wait for what makes another try worth it. */
  waiting = new AbortController()

  override componentDidCatch() {
    if (!this.props.failure)
      toast({
        tone: 'destructive',
        title: 'Could not be loaded',
        description: 'Check the connection and try again, or reload the console.',
        // The browser asks first where something was typed.
        action: { label: 'Reload', run: () => window.location.reload() },
      })
    // What is still wanted comes by itself: with the connection, or with what the operator does next.
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
