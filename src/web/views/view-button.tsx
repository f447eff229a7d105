import { useQuery } from '@tanstack/react-query'
import { Bookmark, BookmarkPlus } from 'lucide-react'
import { useState } from 'react'
import type { View } from '#contract/schemas/views.ts'
import type { ViewList } from '#contract/views.ts'
import { Button } from '#web/ui/button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { useCan } from '#web/use-can.ts'
import { useShownList, viewsQuery } from './queries.ts'

const ViewDialog = lazy(() => import('./view-dialog.tsx'))

interface EditedView {
  list: ViewList
  search: string
  view: View | undefined
}

/** Saves what the list on the screen is narrowed to and ordered by, or names the view that it already is. */
export default function ViewButton() {
  const { list, search } = useShownList()
  const { data } = useQuery(viewsQuery())
  const mayShare = useCan('views.share')
  const [opened, setOpened] = useState<EditedView | null>(null)
  const close = () => setOpened(null)
  const view = data?.views.find((each) => each.list === list && each.search === search)
  const mayChange = view === undefined || (view.isShared ? mayShare : view.isOwn)
  const Icon = view ? Bookmark : BookmarkPlus
  return (
    <>
      {list && search !== '' && data && mayChange && (
        <Button
          aria-haspopup="dialog"
          onClick={() => setOpened({ list, search, view })}
          className="max-w-56 min-w-0 max-phone:w-(--control) max-phone:px-0"
        >
          <Icon aria-hidden />
          <bdi className="min-w-0 truncate max-phone:sr-only">{view?.name ?? 'Save View'}</bdi>
        </Button>
      )}
      <LazyBoundary fallback={null} onFailure={close}>
        {opened && <ViewDialog {...opened} views={data?.views ?? []} mayShare={mayShare} onClose={close} />}
      </LazyBoundary>
    </>
  )
}
