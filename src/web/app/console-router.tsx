import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { hasUnsaved, confirmLeave } from '#web/lib/unsaved.ts'
import { createAppRouter } from './router.ts'

/** Everything behind the login form; its code is fetched only then. */
export default function ConsoleRouter() {
  const [router] = useState(createAppRouter)
  useEffect(
    () =>
      router.history.block({
        enableBeforeUnload: hasUnsaved,
        async blockerFn({ currentLocation, nextLocation, action }) {
          const isSamePage = currentLocation.pathname === nextLocation.pathname
          // What a page does with its own address, such as naming the case that comes next.
          if (isSamePage && action === 'REPLACE') return false
          return !(await confirmLeave({ closeForms: isSamePage }))
        },
      }),
    [router],
  )
  return <RouterProvider router={router} />
}
