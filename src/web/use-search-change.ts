import { useMatch, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Parameters of the address bar and their values; undefined removes one. */
export type SearchChange = Record<string, string | number | undefined>

const trim = (pathname: string) => pathname.replace(/\/+$/, '')

/**
 * Changes parameters of this screen's address. Once the operator is on the way to another screen, nothing is changed: the
 * address is that screen's by then.
 */
export function useSearchChange(): (change: SearchChange, how?: { replace?: boolean | undefined }) => void {
  const router = useRouter()
  const navigate = useNavigate()
  const here = useMatch({ strict: false, select: ({ pathname }) => pathname })
  return useCallback(
    (change, { replace = false } = {}) => {
      if (trim(router.latestLocation.pathname) !== trim(here)) return
      const search = (now: Record<string, unknown>) => ({ ...now, ...change })
      void navigate({ to: '.', search, replace, resetScroll: false })
    },
    [router, navigate, here],
  )
}
