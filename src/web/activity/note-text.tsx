import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Pin, PinOff } from 'lucide-react'
import { useState } from 'react'
import { maxNoteText, noteRoutes } from '#contract/notes.ts'
import type { Note } from '#contract/schemas/notes.ts'
import { call, describeChangeRefusal, describeError } from '#web/api.ts'
import { showFailure } from '#web/changes/change-toasts.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { isComposingKey } from '#web/lib/keys.ts'
import { checkLength } from '#web/lib/length.ts'
import { useCan } from '#web/use-can.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { useUnsaved } from '#web/ui/use-unsaved.ts'
import { isSaveKey } from './note-form.tsx'
import { noteVersionsQuery, refetchActivity } from './queries.ts'

/** A note as it was written, with its controls. `hasHead`: with its author and time, where nothing else says them. */
export function NoteText({ note, hasHead = false }: { note: Note; hasHead?: boolean }) {
  const [isEditing, setIsEditing] = useState(false)
  const canWrite = useCan('notes.write')
  if (isEditing) return <NoteEditor note={note} onClose={() => setIsEditing(false)} />
  return (
    <div className="group/note mt-1 rounded-m border bg-canvas px-3 py-2 text-13 leading-4.5 text-ink">
      {hasHead && (
        <p className="mb-1 flex flex-wrap items-center gap-x-1.5 text-12 text-quiet">
          {note.pinnedBy !== null && <Pin aria-hidden className="size-3" />}
          <span className="sr-only">{note.pinnedBy === null ? 'Note by' : 'Pinned note by'}</span>
          <bdi>{note.author}</bdi> · <Instant value={note.createdAt} />
        </p>
      )}
      <div className="flex items-start gap-2">
        <p dir="auto" className="min-w-0 flex-1 wrap-anywhere whitespace-pre-line">
          {note.text}
        </p>
        {canWrite && (
          <span className="-my-1 -mr-1.5 flex shrink-0 gap-0.5 print:hidden">
            {note.isOwn && (
              <IconButton label="Edit note" onClick={() => setIsEditing(true)}>
                <Pencil aria-hidden />
              </IconButton>
            )}
            <PinButton note={note} />
          </span>
        )}
      </div>
      {note.editedAt !== null && <Versions note={note} editedAt={note.editedAt} />}
    </div>
  )
}

function PinButton({ note: { id, pinnedBy } }: { note: Note }) {
  const client = useQueryClient()
  const isPinned = pinnedBy !== null
  const pinning = useMutation({
    mutationFn: () => call(noteRoutes.pin, { params: { id }, body: { isPinned: !isPinned } }),
    onSettled: () => refetchActivity(client),
    onError: (error) => showFailure(error, describeError(error)),
  })
  return (
    <IconButton
      label={isPinned ? `Unpin note, pinned by ${pinnedBy}` : 'Pin note'}
      aria-disabled={pinning.isPending || undefined}
      onClick={() => !pinning.isPending && pinning.mutate()}
    >
      {isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
    </IconButton>
  )
}

/** When the note was edited, and on request what it said before. */
function Versions({ note, editedAt }: { note: Note; editedAt: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="mt-1 text-12 text-quiet">
      Edited <Instant value={editedAt} /> ·{' '}
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="hit-area link-popover print:hidden"
      >
        {isOpen ? 'Hide earlier texts' : 'Earlier texts'}
      </button>
      {isOpen && <EarlierTexts id={note.id} />}
    </div>
  )
}

function EarlierTexts({ id }: { id: string }) {
  const { data, error } = useQuery(noteVersionsQuery(id))
  if (error && !data) return <p role="alert">{describeError(error)}</p>
  if (!data) return <output className="block">Loading...</output>
  return (
    <ol className="mt-1.5 grid gap-1.5">
      {data.versions.slice(1).map(({ text, writtenAt }) => (
        <li key={writtenAt} className="border-l-2 pl-2.5">
          <Instant value={writtenAt} />
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {text}
          </p>
        </li>
      ))}
    </ol>
  )
}

/** Edits an own note in its place. A refusal keeps what is typed. */
function NoteEditor({ note, onClose }: { note: Note; onClose: () => void }) {
  const client = useQueryClient()
  const [text, setText] = useState(note.text)
  const [{ version }] = useState(note)
  const isSame = text.trim() === note.text
  const saving = useSingleMutation({
    mutationFn: () =>
      call(noteRoutes.edit, { params: { id: note.id }, body: { text: text.trim() }, ifMatch: note.version }),
    onSuccess: async () => {
      await refetchActivity(client)
      onClose()
    },
    onError: () => refetchActivity(client),
  })
  const { error } = checkLength(text, maxNoteText)
  const close = useUnsaved({ isEdited: () => !isSame, isSending: saving.isPending, onClose })
  const save = () => {
    if (isSame) onClose()
    else if (text.trim() !== '' && !error) saving.mutate()
  }
  return (
    <div className="mt-1">
      <Textarea
        aria-label="Note"
        value={text}
        dir="auto"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the operator has just asked to edit it
        autoFocus
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (isSaveKey(event)) save()
          if (event.key === 'Escape' && !isComposingKey(event.nativeEvent)) {
            event.stopPropagation()
            void close()
          }
        }}
      />
      <FieldError>{error ?? (saving.error && describeChangeRefusal(saving.error))}</FieldError>
      {note.version !== version && (
        <p role="alert" className="mt-1.5 text-12 wrap-anywhere whitespace-pre-line">
          It now says <bdi>“{note.text}”</bdi>; save to replace that.
        </p>
      )}
      <div className="mt-2 flex gap-2">
        <Button size="small" variant="primary" disabled={text.trim() === ''} loading={saving.isPending} onClick={save}>
          Save
        </Button>
        <Button size="small" onClick={() => void close()}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
