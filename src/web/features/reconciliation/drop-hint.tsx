import { Upload } from 'lucide-react'

/** Says, while files are dragged over the page, what dropping them does. */
export const DropHint = () => (
  <div className="pointer-events-none fixed inset-0 z-40 grid animate-fade place-items-center bg-scrim p-6">
    <p className="flex items-center gap-2.5 rounded-l border-2 border-dashed border-accent bg-raised px-8 py-6 text-16 font-medium shadow-dialog">
      <Upload aria-hidden className="size-5 text-accent-ink" />
      Drop statement files to import them
    </p>
  </div>
)
