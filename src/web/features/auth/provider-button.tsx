import { LogIn } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isPagePath, oidcRoutes } from '#contract/oidc.ts'
import { call, describeError } from '#web/api.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

/** The page to show after the sign-in: this one, or the dashboard where this one is the sign-in. */
function readReturnPath(): string {
  const { pathname, search } = window.location
  const path = pathname + search
  return pathname !== '/login' && isPagePath(path) ? path : '/'
}

/** Leaves the console for the provider, which leads back. */
export function ProviderButton({ provider, variant }: { provider: string } & Pick<ButtonProps, 'variant'>) {
  const [isPending, setPending] = useState(false)
  useEffect(() => {
    // The browser's Back shows this page as it was left.
    const reset = () => setPending(false)
    window.addEventListener('pageshow', reset)
    return () => window.removeEventListener('pageshow', reset)
  }, [])
  async function begin() {
    setPending(true)
    try {
      const { url } = await call(oidcRoutes.begin, { body: { returnTo: readReturnPath() } })
      window.location.assign(url)
    } catch (error) {
      setPending(false)
      toast({ tone: 'destructive', title: 'Login failed', description: describeError(error) })
    }
  }
  return (
    <Button
      variant={variant ?? 'default'}
      size="large"
      loading={isPending}
      onClick={() => void begin()}
      className="w-full"
    >
      <LogIn aria-hidden />
      <span className="min-w-0 truncate">Sign in with {provider}</span>
    </Button>
  )
}
