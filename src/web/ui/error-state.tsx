import { CircleAlert, RefreshCw } from 'lucide-react'
import { Button } from './button.tsx'

interface ErrorStateProps {
  /** What failed: "The members could not be loaded". */
  title: string
  /** The server's own words. */
  message?: string | undefined
  onRetry: () => void
  retrying?: boolean
}

export function ErrorState({ title, message, onRetry, retrying = false }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-1 px-6 py-10 text-center text-13">
      <CircleAlert aria-hidden className="mb-2 size-5 text-danger-ink" />
      <p className="font-medium">{title}</p>
      {message && <p className="max-w-100 text-quiet">{message}</p>}
      <Button onClick={onRetry} loading={retrying} className="mt-3">
        <RefreshCw aria-hidden />
        Try again
      </Button>
    </div>
  )
}
