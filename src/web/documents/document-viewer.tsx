import { ArrowLeft, ArrowRight, Maximize, RotateCw, X, ZoomIn, ZoomOut } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Picture, usePicture } from './picture.tsx'
import type { LabelledDocument } from './use-document-viewer.tsx'
import { usePanZoom } from './use-pan-zoom.ts'

interface DocumentViewerProps {
  userId: string
  userName: string
  opened: LabelledDocument
  documents: readonly LabelledDocument[]
  onClose: () => void
}

/** The modal image viewer (product 5.4): zoom, rotation, moving and the next document, by mouse, touch and keyboard. */
export default function DocumentViewer({ userId, userName, opened, documents, onClose }: DocumentViewerProps) {
  const [{ label, path }, show] = useState(opened)
  const at = documents.findIndex((each) => each.path === path)
  const step = (by: 1 | -1) => {
    const next = documents[at + by]
    if (next) show(next)
  }
  const picture = usePicture(userId, path)
  const { stage, view, move, percent } = usePanZoom(path, step)
  const canMove = picture.image !== undefined && stage.sizes !== null

  return (
    <Dialog
      title={label}
      description={<bdi>{userName}</bdi>}
      onClose={onClose}
      className="h-[calc(100dvh-2rem)] max-w-300! overflow-hidden sheet:h-dvh sheet:max-h-none! sheet:rounded-none!"
    >
      <div
        role="toolbar"
        aria-label="View"
        className="flex flex-wrap items-center gap-0.5 px-3 py-2 max-md:gap-0 max-md:px-2 max-md:py-1"
      >
        <IconButton label="Zoom out" disabled={!canMove} onClick={() => move({ type: 'out' })}>
          <ZoomOut aria-hidden />
        </IconButton>
        <output
          aria-label="Zoom"
          className="w-12 text-center text-12 whitespace-nowrap text-quiet tabular-nums max-md:sr-only"
        >
          {canMove ? `${percent} %` : ''}
        </output>
        <IconButton label="Zoom in" disabled={!canMove} onClick={() => move({ type: 'in' })}>
          <ZoomIn aria-hidden />
        </IconButton>
        <Button variant="ghost" disabled={!canMove} onClick={() => move({ type: 'fit' })} className={narrowLook}>
          <Maximize aria-hidden />
          <span className="max-md:sr-only">Fit</span>
        </Button>
        <Button variant="ghost" disabled={!canMove} onClick={() => move({ type: 'whole' })} className={narrowLook}>
          100 %
        </Button>
        <Button variant="ghost" disabled={!canMove} onClick={() => move({ type: 'turn' })} className={narrowLook}>
          <RotateCw aria-hidden />
          <span className="max-md:sr-only">Rotate</span>
        </Button>
        {documents.length > 1 && <Steps {...{ at, step }} count={documents.length} />}
        <CloseButton onClose={onClose} />
      </div>
      <Picture
        picture={picture}
        stage={stage}
        view={view}
        alt={`${label} of ${userName}`}
        className="flex-1 border-y"
      />
      <Hints hasSteps={documents.length > 1} />
    </Dialog>
  )
}

/** All controls on one row of a phone. */
const narrowLook = 'max-md:min-w-(--control) max-md:px-0'

const CloseButton = ({ onClose }: Pick<DocumentViewerProps, 'onClose'>) => (
  <Button onClick={onClose} className={cn('ml-auto', narrowLook)}>
    <X aria-hidden />
    <span className="max-md:sr-only">Close</span>
  </Button>
)

/** A button that is off keeps the focus. */
const stepLook = 'aria-disabled:bg-transparent aria-disabled:text-disabled'

const Steps = ({ at, count, step }: { at: number; count: number; step: (by: 1 | -1) => void }) => (
  <span className="flex items-center gap-1.5 md:ml-3">
    <IconButton label="Previous document" aria-disabled={at === 0} className={stepLook} onClick={() => step(-1)}>
      <ArrowLeft aria-hidden />
    </IconButton>
    <output aria-label="Document" className="text-12 whitespace-nowrap text-quiet tabular-nums">
      {at + 1} of {count}
    </output>
    <IconButton label="Next document" aria-disabled={at === count - 1} className={stepLook} onClick={() => step(1)}>
      <ArrowRight aria-hidden />
    </IconButton>
  </span>
)

const Hint = ({ keys, children }: { keys: string[]; children: ReactNode }) => (
  <span className="inline-flex items-center gap-1 whitespace-nowrap">
    {keys.map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
    {children}
  </span>
)

const Hints = ({ hasSteps }: { hasSteps: boolean }) => (
  <p className="flex flex-wrap gap-x-3.5 gap-y-1 px-5 py-2.5 text-12 text-quiet max-md:hidden">
    <Hint keys={['+', '−']}>zoom</Hint>
    <Hint keys={['0']}>fit</Hint>
    <Hint keys={['1']}>100 %</Hint>
    <Hint keys={['R']}>rotate</Hint>
    <Hint keys={['←', '→', '↑', '↓']}>{hasSteps ? 'move, or previous and next while it fits' : 'move'}</Hint>
    <Hint keys={['Esc']}>close</Hint>
  </p>
)
