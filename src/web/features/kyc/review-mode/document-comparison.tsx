import { FileX, TriangleAlert } from 'lucide-react'
import { useEffect, useReducer, useState, type Dispatch, type ReactNode } from 'react'
import { documentLabels } from '#contract/kyc-parts.ts'
import { displayName } from '#contract/members.ts'
import type { Member } from '#contract/schemas/members.ts'
import { initialView, type Move } from '#web/documents/pan-zoom.ts'
import { Picture, usePicture } from '#web/documents/picture.tsx'
import { toView, type SharedView } from '#web/documents/shared-view.ts'
import { viewKeys } from '#web/documents/use-pan-zoom.ts'
import { useStage } from '#web/documents/use-stage.ts'
import { cn } from '#web/lib/cn.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { areTwoWide, createComparison, reduceComparison } from './comparison-state.ts'
import type { ComparisonAction, ComparisonState } from './comparison-state.ts'
import { ComparisonToolbar } from './comparison-toolbar.tsx'
import { DocumentPortrait } from './document-portrait.tsx'
import { useShortcuts } from '#web/ui/use-shortcuts.ts'

export interface CaseDocument {
  label: string
  /** The key that makes it the active one. */
  hotkey: string
  /** Null where it is asked for and was not sent. */
  path: string | null
}

/** Card sides stacked, the selfie beside them in full height. */
const layouts = [
  '',
  '',
  'roomy:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]',
  'roomy:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] roomy:grid-rows-2 roomy:[&>:nth-child(3)]:col-start-2 roomy:[&>:nth-child(3)]:row-span-2 roomy:[&>:nth-child(3)]:row-start-1',
]
/** One above the others, which stand in a strip. */
const largeLayout =
  'roomy:grid-rows-[minmax(0,1fr)_9rem] roomy:*:row-start-2 roomy:*:data-large:col-span-full roomy:*:data-large:row-start-1'

function chooseLayout(state: ComparisonState): string | undefined {
  const count = state.views.length
  if (state.isLarge && count > 1) return cn(largeLayout, count > 2 && 'roomy:grid-cols-2')
  return areTwoWide(state) ? 'roomy:grid-rows-2' : layouts[count]
}

interface DocumentComparisonProps {
  member: Member
  documents: readonly CaseDocument[]
  /** Called when a document's picture is on the screen. */
  onShown: (path: string) => void
  /** Below 900 px a form covers the lower half of the window, and the picture fits above it. */
  isShort: boolean
}

/** The case's documents side by side, zoomed, rotated and moved together. Below 900 px one at a time. */
export function DocumentComparison({ member, documents, onShown, isShort }: DocumentComparisonProps) {
  const [state, dispatch] = useReducer(reduceComparison, documents.length, createComparison)
  const { isSynced, active, isLarge, views } = state
  const [front, setFront] = useState<Blob>()
  const frontAt = documents.findIndex(({ label }) => label === documentLabels.front)
  const bindMove = (move: Move) => () => dispatch({ type: 'move', move })
  const choose = (at: number) => dispatch({ type: 'chosen', at })
  useShortcuts({
    ...Object.fromEntries(Object.entries(viewKeys).map(([key, move]) => [key, bindMove(move)])),
    t: bindMove({ type: 'turn' }),
    l: () => dispatch({ type: 'together' }),
    ...Object.fromEntries(documents.map(({ hotkey }, at) => [hotkey.toLowerCase(), () => choose(at)])),
  })
  return (
    <div
      className={cn(
        'flex min-h-0 min-w-0 flex-col max-roomy:min-h-fit max-roomy:shrink-0',
        isShort
          ? 'max-roomy:h-[max(12rem,50dvh-var(--header)-3rem)] max-md:h-[max(12rem,50dvh-var(--header))]'
          : 'max-roomy:h-[clamp(20rem,58dvh,36rem)]',
      )}
    >
      <ComparisonToolbar state={state} dispatch={dispatch} />
      <DocumentChoice documents={documents} active={active} onChoose={choose} />
      <div
        className={cn(
          'grid min-h-0 flex-1 gap-px border-t bg-border max-roomy:very-low:min-h-48',
          // With larger text the toolbar and the choice take more lines, but not the document's.
          isShort ? 'max-roomy:min-h-28' : 'max-roomy:min-h-48',
          chooseLayout(state),
        )}
      >
        {documents.map((shown, at) => (
          <ComparedDocument
            key={shown.label}
            member={member}
            shown={shown}
            view={views[at]}
            at={at}
            isActive={at === active}
            isLarge={isLarge && documents.length > 1}
            isSynced={isSynced}
            dispatch={dispatch}
            onShown={onShown}
            {...(at === frontAt && { onLoaded: setFront })}
          >
            {shown.label === documentLabels.selfie && front && (
              <DocumentPortrait
                image={front}
                turns={views[frontAt]?.turns ?? 0}
                layout={isLarge && at !== active ? 'hidden' : isLarge || areTwoWide(state) ? 'beside' : 'below'}
              />
            )}
          </ComparedDocument>
        ))}
      </div>
    </div>
  )
}

interface DocumentChoiceProps {
  documents: readonly CaseDocument[]
  active: number
  onChoose: (at: number) => void
}

/** Below 900 px, where one document is on the screen at a time. */
const DocumentChoice = ({ documents, active, onChoose }: DocumentChoiceProps) => (
  <fieldset
    aria-label="Document shown"
    className="grid min-w-0 grid-cols-[repeat(auto-fit,minmax(min(100%,6rem),1fr))] gap-1 border-t bg-canvas p-1.5 roomy:hidden"
  >
    {documents.map(({ label, path }, at) => (
      <Button
        key={label}
        variant="ghost"
        aria-pressed={at === active}
        onClick={() => onChoose(at)}
        className="min-w-0 px-1! aria-pressed:border-border-strong aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-control"
      >
        {path === null && <FileX aria-hidden />}
        <span className="truncate">
          {path === null && <span className="sr-only">Missing: </span>}
          {label}
        </span>
      </Button>
    ))}
  </fieldset>
)

interface ComparedDocumentProps {
  member: Member
  shown: CaseDocument
  view: SharedView | undefined
  at: number
  isActive: boolean
  isLarge: boolean
  isSynced: boolean
  dispatch: Dispatch<ComparisonAction>
  onShown: (path: string) => void
  onLoaded?: (image: Blob | undefined) => void
  /** Stands below its picture, or beside one that is wider than high. */
  children?: ReactNode
}

function ComparedDocument(props: ComparedDocumentProps) {
  const { shown, at, isActive, isLarge, isSynced, dispatch, children, ...rest } = props
  const { label, hotkey, path } = shown
  return (
    <figure
      data-large={(isLarge && isActive) || undefined}
      className={cn('relative flex min-h-0 min-w-0 flex-col bg-canvas', !isActive && 'max-roomy:hidden')}
    >
      <figcaption className="flex h-9 shrink-0 items-center gap-2 px-3 text-13 font-medium max-roomy:sr-only">
        <span className="roomy:hidden">{label}</span>
        <button
          type="button"
          aria-pressed={isActive && (isLarge || !isSynced)}
          aria-keyshortcuts={hotkey}
          onClick={() => dispatch({ type: 'chosen', at })}
          className="flex items-center gap-2 rounded-s aria-pressed:text-accent-ink max-roomy:hidden"
        >
          <kbd aria-hidden>{hotkey}</kbd>
          {label}
        </button>
      </figcaption>
      {path === null ? (
        <MissingDocument label={label} />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col has-data-beside:flex-row">
          <ComparedPicture {...rest} label={label} path={path} at={at} dispatch={dispatch} />
          {children}
        </div>
      )}
      {!isSynced && isActive && (
        <span aria-hidden className="pointer-events-none absolute inset-0 border-2 border-accent max-roomy:hidden" />
      )}
    </figure>
  )
}

const MissingDocument = ({ label }: { label: string }) => (
  <div className="grid flex-1 place-content-center justify-items-center gap-2 px-4 text-center text-13">
    <FileX aria-hidden className="size-6 text-quiet" strokeWidth={1.5} />
    <p>
      {label}{' '}
      <Badge tone="warning" icon={TriangleAlert}>
        Missing
      </Badge>
    </p>
  </div>
)

interface ComparedPictureProps extends Pick<
  ComparedDocumentProps,
  'member' | 'view' | 'at' | 'dispatch' | 'onShown' | 'onLoaded'
> {
  label: string
  path: string
}

function ComparedPicture({ member, label, path, view, at, dispatch, onShown, onLoaded }: ComparedPictureProps) {
  const picture = usePicture(member.id, path)
  const { image } = picture
  useEffect(() => onLoaded?.(image), [image, onLoaded])
  const stage = useStage((move) => dispatch({ type: 'move', move, at }))
  const sizes = picture.image ? stage.sizes : null
  useEffect(() => dispatch({ type: 'measured', at, sizes }), [dispatch, at, sizes])
  const isOnScreen = sizes !== null
  useEffect(() => {
    if (isOnScreen) onShown(path)
  }, [isOnScreen, onShown, path])
  return (
    <Picture
      picture={picture}
      stage={stage}
      view={view && sizes ? toView(view, sizes) : initialView}
      alt={`${label} of ${displayName(member)}`}
      className="flex-1"
    />
  )
}
