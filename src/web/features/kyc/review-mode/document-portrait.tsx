import { useId, useState, type KeyboardEvent } from 'react'
import { initialView, type Move, type Sizes } from '#web/documents/pan-zoom.ts'
import { Picture } from '#web/documents/picture.tsx'
import { viewKeys } from '#web/documents/use-pan-zoom.ts'
import { useStage } from '#web/documents/use-stage.ts'
import { cn } from '#web/lib/cn.ts'
import { isComposingKey, readKey } from '#web/lib/keys.ts'
import { findPortrait, movePortrait, placeAgain, type PlacedView } from './portrait-view.ts'

const keys: Record<string, Move> = viewKeys
/** An arrow key moves the portrait by this share of a step of the documents. */
const fineStep = 0.2

function readMove({ ctrlKey, metaKey, altKey, nativeEvent }: KeyboardEvent): Move | undefined {
  if (ctrlKey || metaKey || altKey || isComposingKey(nativeEvent)) return undefined
  const move = keys[readKey(nativeEvent)]
  return move?.type === 'pan' ? { type: 'pan', x: move.x * fineStep, y: move.y * fineStep } : move
}

interface DocumentPortraitProps {
  /** The picture of the document's front, as it was loaded for the comparison. */
  image: Blob
  /** Quarter turns of the front. */
  turns: number
  /** Where it stands to the selfie. Hidden, it keeps its place. */
  layout: 'below' | 'beside' | 'hidden'
}

/** The piece of the document that should have the portrait, cut out of the picture of its front, for comparison with the face of the selfie. */
export function DocumentPortrait({ image, turns, layout }: DocumentPortraitProps) {
  const id = useId()
  // Null until it is moved: it is at the guess.
  const [moved, setMoved] = useState<PlacedView | null>(null)
  const show = (now: PlacedView | null, sizes: Sizes) =>
    now ? placeAgain(now, turns, sizes) : findPortrait(sizes, turns)
  const stage = useStage((move, now) => setMoved((before) => movePortrait(show(before, now), move, now)))
  const { sizes, act } = stage
  const onKeyDown = (event: KeyboardEvent) => {
    const move = readMove(event)
    if (!move) return
    // The documents stay where they are.
    event.preventDefault()
    act(move)
  }
  const isBeside = layout === 'beside'
  return (
    <div
      data-beside={isBeside || undefined}
      className={cn(
        'hidden shrink-0 items-center justify-end gap-3',
        layout !== 'hidden' && 'wide:flex very-low:hidden',
        isBeside ? 'w-2/5 flex-col-reverse justify-center p-3' : 'mx-3 h-[30%] max-h-72 border-t py-3',
      )}
    >
      <p className={cn('text-12 text-quiet', isBeside ? 'text-center' : 'text-right')}>
        <span id={id} className="block font-medium text-ink">
          Portrait on the document
        </span>
        <span id={`${id}-hint`}>Drag to the face</span>
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys move it */}
      <fieldset
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
        data-scrolls
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is moved and scaled by keys
        tabIndex={0}
        title="Arrow keys move it, + and − scale it, 0 takes it back"
        onKeyDown={onKeyDown}
        className={cn(
          'aspect-7/9 min-w-0 overflow-hidden rounded-m border',
          isBeside ? 'max-h-144 min-h-0 max-w-full flex-1' : 'h-full',
        )}
      >
        <Picture
          picture={{ image, isLoading: false, problem: null, retry: () => {}, onBroken: () => {} }}
          stage={stage}
          view={sizes ? show(moved, sizes) : initialView}
          alt=""
          className="size-full"
        />
      </fieldset>
    </div>
  )
}
