import { Component, Suspense, type ReactNode } from 'react'
import { toast } from '#web/ui/toast.ts'

interface LazilyProps {
  /** Stands in place while the part comes, and again when it could not be fetched. */
  fallback: ReactNode
  onFailure?: () => void
  children: ReactNode
}

/** Holds a part that is fetched when it is needed; a failure to fetch it is told, and costs nothing else. */
export class Lazily extends Component<LazilyProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch() {
    toast({
      tone: 'destructive',
      title: 'Could not be loaded',
      description: 'Check the connection and reload the page.',
    })
    this.props.onFailure?.()
  }

  override render() {
    const { fallback, children } = this.props
    return this.state.hasFailed ? fallback : <Suspense fallback={fallback}>{children}</Suspense>
  }
}
