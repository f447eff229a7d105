import { Skeleton } from '#web/ui/spinner.tsx'

/** The most kinds that stand in the row. */
export const mostKinds = 5

/** The row while it loads, with the height that it has where it stands in one line. */
export const NeedsPlaceholder = () => (
  // Below that width the number of rows is not known before: until then nothing stands below, so that nothing moves.
  <section aria-labelledby="needs-you" data-needs="loading">
    <div className="mb-2.5 min-h-5">
      <h2 id="needs-you">Needs you</h2>
    </div>
    <div className="overflow-hidden rounded-l border bg-canvas wide:h-16.5">
      <ul className="needs">
        {Array.from({ length: mostKinds }, (_, index) => (
          <li key={index} className="flex min-h-14 items-center gap-2.5 px-4">
            {index === 0 && <span className="sr-only">Loading...</span>}
            <Skeleton className="size-7 shrink-0 rounded-full!" />
            <span className="grid flex-1 gap-1.5">
              <Skeleton className="h-3 w-4/5" />
              <Skeleton className="h-3 w-3/5" />
            </span>
          </li>
        ))}
      </ul>
    </div>
  </section>
)
