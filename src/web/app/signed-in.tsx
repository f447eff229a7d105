import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { createAppRouter } from './router.ts'

/** Everything behind the login form; its code is fetched only then. */
export default function SignedIn() {
  const [router] = useState(createAppRouter)
  return <RouterProvider router={router} />
}
