import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/**
 * Fetches this one query again every `seconds` while the page is in sight, and at once when it comes back into sight with
 * something older. `queryKey` has to be the same array from render to render.
 */
export function usePoll(queryKey: readonly string[], seconds: number) {
  const client = useQueryClient()
  useEffect(() => {
    const period = seconds * 1000
    let timer: ReturnType<typeof setInterval> | undefined
    const isInSight = () => document.visibilityState === 'visible'
    const poll = () => {
      // Skips a query that is still running.
      if (!isInSight() || client.getQueryState(queryKey)?.fetchStatus !== 'idle') return
      void client.refetchQueries({ queryKey, exact: true })
    }
    const start = () => {
      clearInterval(timer)
      if (isInSight()) timer = setInterval(poll, period)
    }
    const onVisibility = () => {
      start()
      const { dataUpdatedAt = 0, errorUpdatedAt = 0 } = client.getQueryState(queryKey) ?? {}
      if (Date.now() - Math.max(dataUpdatedAt, errorUpdatedAt) >= period) poll()
    }
    start()
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [client, queryKey, seconds])
}
