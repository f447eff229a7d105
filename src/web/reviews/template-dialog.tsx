import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { maxReason } from '#contract/members.ts'
import { isLanguage, maxTemplateName, nameLanguage, templateRoutes } from '#contract/reason-templates.ts'
import type { NewTemplate, ReasonTemplate, TemplateChange } from '#contract/schemas/reason-templates.ts'
import { call, describeChangeRefusal } from '#web/api.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { type Problems, useChange } from '#web/changes/use-change.ts'
import { checkLength } from '#web/lib/length.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { LongTextField, TextField } from '#web/ui/text-field.tsx'
import { useCan } from '#web/use-can.ts'
import { readLanguage, templatesQuery } from './reason-templates.tsx'

const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
/** All languages that have a code of two letters, and Filipino, which has none. */
const languages = [...letters.flatMap((first) => letters.map((second) => first + second)), 'fil']
  // Twi is called Akan, which has a code of its own.
  .filter((code) => isLanguage(code) && code !== 'tw')
  .map((value) => ({ value, label: nameLanguage(value) }))
  .toSorted((a, b) => a.label.localeCompare(b.label))

interface TemplateDialogProps {
  edited: ReasonTemplate | 'new'
  /** What a new template says at first. */
  reason: string
  onClose: () => void
}

/** Saves or deletes the template, and reads it again where a colleague was first. */
function useTemplateChanges({ edited, onClose }: TemplateDialogProps, draft: NewTemplate) {
  const client = useQueryClient()
  // The rest stays as a colleague may have changed it meanwhile.
  const keys = ['name', 'language', 'text', 'isShared'] as const
  const changed = keys.filter((key) => edited !== 'new' && draft[key] !== edited[key])
  const change: TemplateChange = Object.fromEntries(changed.map((key) => [key, draft[key]]))
  const shared = { refetch: () => client.invalidateQueries(templatesQuery), onDone: onClose }
  const saving = useChange({
    ...shared,
    entity: edited === 'new' ? null : edited,
    send: (template) =>
      template === null
        ? call(templateRoutes.create, { body: draft })
        : call(templateRoutes.change, { params: { id: template.id }, body: change, ifMatch: template.version }),
    fetchFresh: async (template) => {
      const { templates } = await client.fetchQuery({ ...templatesQuery, staleTime: 0 })
      return templates.find(({ id }) => id === template?.id) ?? template
    },
    success: 'Template Saved',
    failure: 'Failed to save the template',
    fields: ['name', 'language', 'text'],
  })
  const deleting = useChange({
    ...shared,
    entity: saving.current?.id ?? '',
    send: (id) => call(templateRoutes.remove, { params: { id } }),
    success: 'Template Deleted',
    failure: 'Failed to delete the template',
  })
  return { saving, deleting }
}

/** Saves a reason as a template, or changes, shares or deletes one. */
export default function TemplateDialog(props: TemplateDialogProps) {
  const { edited, reason, onClose } = props
  const [draft, setDraft] = useState<NewTemplate>(() => {
    if (edited === 'new') return { name: '', language: readLanguage() || 'en', text: reason.trim(), isShared: false }
    const { name, language, text, isShared } = edited
    return { name, language, text, isShared }
  })
  const { saving, deleting } = useTemplateChanges(props, draft)
  const { current, form, problems, conflict } = saving
  const isFilled = draft.name.trim() !== '' && draft.text.trim() !== ''
  return (
    <FormDialog
      {...form}
      title={edited === 'new' ? 'Save as Template' : 'Edit Template'}
      description="For any member: write no name in it, since it stays when a member is erased."
      action={{ label: 'Save', disabled: !isFilled || checkLength(draft.text, maxReason).error !== null }}
      onClose={onClose}
      pending={form.pending || deleting.isPending}
      refusal={deleting.error ? describeChangeRefusal(deleting.error) : form.refusal}
    >
      <TemplateFields draft={draft} problems={problems} onChange={(change) => setDraft({ ...draft, ...change })} />
      {current && (
        <Button
          size="small"
          variant="danger"
          loading={deleting.isPending}
          disabled={form.pending}
          onClick={deleting.apply}
          className="mt-4"
        >
          <Trash2 aria-hidden />
          Delete Template
        </Button>
      )}
      <ConflictHelp conflict={conflict}>
        Reloaded. It now says <bdi>“{current?.text}”</bdi>; save to replace that.
      </ConflictHelp>
    </FormDialog>
  )
}

interface TemplateFieldsProps {
  draft: NewTemplate
  problems: Problems
  onChange: (change: Partial<NewTemplate>) => void
}

function TemplateFields({ draft, problems, onChange }: TemplateFieldsProps) {
  const mayShare = useCan('views.share')
  const { name, language, text, isShared } = draft
  const length = checkLength(text, maxReason)
  const isKnown = languages.some(({ value }) => value === language)
  return (
    <div className="grid gap-4">
      <TextField
        label="Name"
        error={problems['name']}
        value={name}
        maxLength={maxTemplateName}
        dir="auto"
        autoComplete="off"
        onType={(typed) => onChange({ name: typed })}
      />
      <SelectField
        label="Language"
        error={problems['language']}
        options={isKnown ? languages : [{ value: language, label: nameLanguage(language) }, ...languages]}
        value={language}
        onChoose={(chosen) => onChange({ language: chosen })}
      />
      <LongTextField
        label="Text, as the member reads it"
        error={problems['text'] ?? length.error}
        hint={length.hint}
        lang={language}
        rows={4}
        value={text}
        onType={(typed) => onChange({ text: typed })}
      />
      {mayShare && (
        <Checkbox isChecked={isShared} onChange={(checked) => onChange({ isShared: checked })}>
          Share with all who decide on KYC
        </Checkbox>
      )}
    </div>
  )
}
