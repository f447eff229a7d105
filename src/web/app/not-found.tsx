import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { usePageTitle } from '#web/lib/page.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'

export default function NotFound() {
  usePageTitle({ title: 'Page Not Found' })
  return (
    <div className="gutter py-6">
      <section className="mx-auto mt-[8vh] max-w-110 rounded-l border bg-card p-8 text-center">
        <SearchX aria-hidden className="mx-auto mb-3 size-6 text-quiet" />
        <h2 className="text-16">404 Page Not Found</h2>
        <p className="mt-1 mb-5 text-13 text-quiet">Nothing is at this address. It may have been mistyped.</p>
        <Button asChild>
          <Link {...paths.dashboard()} activeOptions={{ exact: true }}>
            Go to the Dashboard
          </Link>
        </Button>
      </section>
    </div>
  )
}
