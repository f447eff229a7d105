import { RefreshCw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

interface RefreshButtonProps extends Pick<ButtonProps, 'size'> {
  /** Refetches the data and resolves to whether that worked. The list itself shows a failure. */
  refresh: () => Promise<boolean>
  /** "Order data is up to date." */
  done: string
}

export function RefreshButton({ refresh, done, ...look }: RefreshButtonProps) {
  const [isPending, setPending] = useState(false)
  const isThere = useRef(true)
  useEffect(() => {
    isThere.current = true
    return () => void (isThere.current = false)
  }, [])
  async function run() {
    setPending(true)
    if ((await refresh()) && isThere.current) toast({ tone: 'success', title: 'Refreshed', description: done })
    setPending(false)
  }
  return (
    <Button
      {...look}
      loading={isPending}
      title="Refresh"
      className="max-[100rem]:w-(--control) max-[100rem]:px-0"
      onClick={() => void run()}
    >
      <RefreshCw aria-hidden />
      <span className="max-[100rem]:sr-only">Refresh</span>
    </Button>
  )
}
