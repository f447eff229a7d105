import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { maxNoteText, noteRoutes } from '#contract/notes.ts'
import { call, describeChangeRefusal } from '#web/api.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { isComposingKey } from '#web/lib/keys.ts'
import { checkLength } from '#web/lib/length.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { useUnsaved } from '#web/ui/use-unsaved.ts'
import { refetchActivity } from './queries.ts'

/** Whether the key saves what is typed. */
export const isSaveKey = ({ key, ctrlKey, metaKey, nativeEvent }: KeyboardEvent) =>
  key === 'Enter' && (ctrlKey || metaKey) && !isComposingKey(nativeEvent)

const writeRoutes = {
  user: noteRoutes.writeOnMember,
  order: noteRoutes.writeOnOrder,
  bankLine: noteRoutes.writeOnBankLine,
}

interface NoteSubject {
  type: keyof typeof writeRoutes
  id: string
}

/** Writes a note that all operators see. No form, since that of a bank line is around it. */
export function NoteForm({ subject }: { subject: NoteSubject }) {
  const [saved, setSaved] = useState(0)
  return <NewNote key={saved} subject={subject} isNext={saved > 0} onSaved={() => setSaved(saved + 1)} />
}

interface NewNoteProps {
  subject: NoteSubject
  /** After a saved one, whose field had the focus. */
  isNext: boolean
  onSaved: () => void
}

function NewNote({ subject: { type, id }, isNext, onSaved }: NewNoteProps) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  const saving = useSingleMutation({
    mutationFn: () => call(writeRoutes[type], { params: { id }, body: { text: text.trim() } }),
    onSuccess: async () => {
      await refetchActivity(client)
      onSaved()
    },
  })
  useUnsaved({ isEdited: () => !isEmpty, isSending: saving.isPending, onClose: () => setText('') })
  const { error } = checkLength(text, maxNoteText)
  const save = () => !isEmpty && !error && saving.mutate()
  return (
    <div className="mb-4 print:hidden">
      <div className="relative grid">
        <Textarea
          aria-label="Note"
          placeholder="Add a note; @name tells a colleague"
          rows={isEmpty ? 1 : 3}
          value={text}
          dir="auto"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field that was just saved had the focus
          autoFocus={isNext}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => isSaveKey(event) && save()}
          className="min-h-(--control) resize-none! pr-18"
        />
        <Button
          size="small"
          onClick={save}
          className="absolute right-1 bottom-1 max-md:right-0 max-md:bottom-0 max-md:rounded-l-none"
          disabled={isEmpty}
          loading={saving.isPending}
        >
          Save
        </Button>
      </div>
      <FieldError>{error ?? (saving.error && describeChangeRefusal(saving.error))}</FieldError>
    </div>
  )
}
