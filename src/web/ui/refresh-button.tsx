import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

interface RefreshButtonProps {
  /** Fetches again what is shown, and tells whether it came; a failure is told where the data stands. */
  refresh: () => Promise<boolean>
  /** "Order data is up to date." */
  done: string
}

export function RefreshButton({ refresh, done }: RefreshButtonProps) {
  const [isPending, setPending] = useState(false)
  async function run() {
    setPending(true)
    if (await refresh()) toast({ tone: 'success', title: 'Refreshed', description: done })
    setPending(false)
  }
  return (
    <Button loading={isPending} onClick={() => void run()}>
      <RefreshCw aria-hidden />
      Refresh
    </Button>
  )
}
