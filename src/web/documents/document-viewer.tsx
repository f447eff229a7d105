import { CircleAlert, Maximize, RefreshCw, RotateCw, X, ZoomIn, ZoomOut } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { notAnImage, useDocument, type Trouble } from './document-access.ts'
import { usePanZoom } from './use-pan-zoom.ts'

interface DocumentViewerProps {
  userId: string
  userName: string
  /** "Identity front" */
  label: string
  documentPath: string
  onClose: () => void
}

/** The modal image viewer (SPEC section 2): zoom, rotation and moving, by mouse, touch and keyboard. */
export default function DocumentViewer({ userId, userName, label, documentPath, onClose }: DocumentViewerProps) {
  const { image, isLoading, trouble, retry } = useDocument(userId, documentPath)
  const [broken, setBroken] = useState<Blob>()
  const { stage, stageProps, imageProps, move, percent, isReady, isDragging } = usePanZoom()
  const shownTrouble = trouble ?? (image && image === broken ? notAnImage : null)
  const isShown = image !== undefined && !isLoading && !shownTrouble
  const canMove = isShown && isReady
  // The picture's address lives as long as its element: closing the viewer lets go of the bytes.
  const showImage = useCallback(
    (element: HTMLImageElement) => {
      if (!image) return
      const url = URL.createObjectURL(image)
      element.src = url
      return () => URL.revokeObjectURL(url)
    },
    [image],
  )

  return (
    <Dialog
      title={label}
      description={<bdi>{userName}</bdi>}
      onClose={onClose}
      className="flex h-[calc(100dvh-2rem)] max-w-300! flex-col overflow-hidden"
    >
      <div role="toolbar" aria-label="View" className="flex flex-wrap items-center gap-0.5 px-3 py-2">
        <IconButton label="Zoom out" disabled={!canMove} onClick={() => move({ type: 'out' })}>
          <ZoomOut aria-hidden />
        </IconButton>
        <output aria-label="Zoom" className="w-12 text-center text-12 text-quiet tabular-nums">
          {canMove ? `${percent} %` : ''}
        </output>
        <IconButton label="Zoom in" disabled={!canMove} onClick={() => move({ type: 'in' })}>
          <ZoomIn aria-hidden />
        </IconButton>
        <Button variant="ghost" disabled={!canMove} onClick={() => move({ type: 'fit' })}>
          <Maximize aria-hidden />
          Fit
        </Button>
        <Button variant="ghost" disabled={!canMove} onClick={() => move({ type: 'whole' })}>
          100 %
        </Button>
        <Button variant="ghost" disabled={!canMove} onClick={() => move({ type: 'turn' })}>
          <RotateCw aria-hidden />
          Rotate
        </Button>
        <Button onClick={onClose} className="ml-auto">
          <X aria-hidden />
          Close
        </Button>
      </div>
      <div
        ref={stage}
        {...(canMove && stageProps)}
        className={cn(
          'relative min-h-0 flex-1 touch-none overflow-hidden border-y bg-canvas',
          canMove && (isDragging ? 'cursor-grabbing' : 'cursor-grab'),
        )}
      >
        {isShown && (
          <img
            {...imageProps}
            ref={showImage}
            alt={`${label} of ${userName}`}
            draggable={false}
            onError={() => setBroken(image)}
            className={cn('absolute top-1/2 left-1/2 max-w-none select-none', !isReady && 'invisible')}
          />
        )}
        {isLoading && (
          <output className="absolute inset-0 grid place-content-center justify-items-center gap-2 text-13 text-quiet">
            <Spinner />
            Loading...
          </output>
        )}
        {shownTrouble && <TroublePanel trouble={shownTrouble} onRetry={retry} />}
      </div>
      <Hints />
    </Dialog>
  )
}

function TroublePanel({
  trouble: { title, message, suggestion, status },
  onRetry,
}: {
  trouble: Trouble
  onRetry: () => void
}) {
  return (
    <div
      role="alert"
      className="absolute inset-0 grid place-content-center justify-items-center gap-1 px-6 text-center text-13"
    >
      <CircleAlert aria-hidden className="mb-2 size-5 text-danger-ink" />
      <p className="text-14 font-semibold">{title}</p>
      <p className="max-w-110">{message}</p>
      {suggestion && <p className="max-w-110 text-quiet">{suggestion}</p>}
      {status !== undefined && <p className="text-12 text-quiet tabular-nums">Status {status}</p>}
      <Button onClick={onRetry} className="mt-3 justify-self-center">
        <RefreshCw aria-hidden />
        Try again
      </Button>
    </div>
  )
}

const Hint = ({ keys, children }: { keys: string[]; children: ReactNode }) => (
  <span className="inline-flex items-center gap-1 whitespace-nowrap">
    {keys.map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
    {children}
  </span>
)

const Hints = () => (
  <p className="flex flex-wrap gap-x-3.5 gap-y-1 px-5 py-2.5 text-12 text-quiet max-md:hidden">
    <Hint keys={['+', '−']}>zoom</Hint>
    <Hint keys={['0']}>fit</Hint>
    <Hint keys={['1']}>100 %</Hint>
    <Hint keys={['R']}>rotate</Hint>
    <Hint keys={['←', '→', '↑', '↓']}>move</Hint>
    <Hint keys={['Esc']}>close</Hint>
  </p>
)
