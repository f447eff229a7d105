import { CircleAlert, RefreshCw } from 'lucide-react'
import { useCallback, useState } from 'react'
import { cn } from '#web/lib/cn.ts'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { notAnImage, useDocument, type DocumentProblem } from './document-access.ts'
import { buildStyle, type View } from './pan-zoom.ts'
import type { Stage } from './use-stage.ts'

/** Loads a document's picture: `image` once it can be shown, else `problem`. */
export function usePicture(userId: string, documentPath: string) {
  const { image, isLoading, problem: documentProblem, retry } = useDocument(userId, documentPath)
  const [broken, setBroken] = useState<Blob>()
  const problem = documentProblem ?? (image && image === broken ? notAnImage : null)
  return {
    image: isLoading || problem ? undefined : image,
    isLoading,
    problem,
    retry,
    onBroken: () => setBroken(image),
  }
}

interface PictureProps {
  picture: ReturnType<typeof usePicture>
  stage: Stage
  view: View
  alt: string
  className?: string
}

/** The stage: the image in its view, the loading state, or the failure with a retry. */
export function Picture({
  picture: { image, isLoading, problem, retry, onBroken },
  stage,
  view,
  alt,
  className,
}: PictureProps) {
  const { ref, props, sizes, isDragging, onLoad } = stage
  const canMove = image !== undefined && sizes !== null
  // The object URL lives as long as the element, so that closing the viewer frees the bytes.
  const show = useCallback(
    (element: HTMLImageElement) => {
      if (!image) return
      const url = URL.createObjectURL(image)
      element.src = url
      return () => URL.revokeObjectURL(url)
    },
    [image],
  )
  return (
    <div
      ref={ref}
      {...(canMove && props)}
      className={cn(
        'relative min-h-0 overflow-hidden bg-canvas',
        // An image that fits does not move, so a finger scrolls the page.
        view.zoom === 'fit' ? 'touch-pan-y' : 'touch-none',
        canMove && (isDragging ? 'cursor-grabbing' : 'cursor-grab'),
        className,
      )}
    >
      {image && (
        <img
          ref={show}
          alt={alt}
          draggable={false}
          onLoad={onLoad}
          onError={onBroken}
          {...(sizes && { style: buildStyle(view, sizes) })}
          className={cn('absolute top-1/2 left-1/2 max-w-none select-none', !sizes && 'invisible')}
        />
      )}
      {isLoading && (
        <output className="absolute inset-0 grid place-content-center justify-items-center gap-2 text-13 text-quiet">
          <Spinner />
          Loading...
        </output>
      )}
      {problem && <ProblemPanel problem={problem} onRetry={retry} />}
    </div>
  )
}

function ProblemPanel({
  problem: { title, message, suggestion, status },
  onRetry,
}: {
  problem: DocumentProblem
  onRetry: () => void
}) {
  return (
    <div
      role="alert"
      className="absolute inset-0 grid content-center justify-items-center gap-1 overflow-y-auto px-6 py-3 text-center text-13"
    >
      <CircleAlert aria-hidden className="mb-2 size-5 text-danger-ink" />
      <p className="text-14 font-semibold">{title}</p>
      <p className="max-w-110">{message}</p>
      {suggestion && <p className="max-w-110 text-quiet">{suggestion}</p>}
      {status !== undefined && <p className="text-12 text-quiet tabular-nums">Status {status}</p>}
      <Button onClick={onRetry} className="mt-3 justify-self-center">
        <RefreshCw aria-hidden />
        Try Again
      </Button>
    </div>
  )
}
