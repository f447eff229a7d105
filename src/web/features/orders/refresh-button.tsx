import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

/** Fetches again what is shown. `refresh` tells whether it came; a failure is told where the data stands. */
export function RefreshButton({ refresh }: { refresh: () => Promise<boolean> }) {
  const [isPending, setPending] = useState(false)
  async function run() {
    setPending(true)
    if (await refresh()) toast({ tone: 'success', title: 'Refreshed', description: 'Order data is up to date.' })
    setPending(false)
  }
  return (
    <Button loading={isPending} onClick={() => void run()}>
      <RefreshCw aria-hidden />
      Refresh
    </Button>
  )
}
