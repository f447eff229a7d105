import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { View } from '#contract/schemas/views.ts'
import { maxViewName, type ViewList, viewRoutes } from '#contract/views.ts'
import { call, describeChangeRefusal } from '#web/api.ts'
import { readProblems } from '#web/changes/use-change.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.ts'
import { refetchViews } from './queries.ts'

interface ViewDialogProps {
  list: ViewList
  /** The filters and the order to save. */
  search: string
  /** The saved view that the list is now; undefined: none yet. */
  view: View | undefined
  /** All views that the admin may see. */
  views: readonly View[]
  mayShare: boolean
  onClose: () => void
}

interface Draft {
  name: string
  isShared: boolean
  /** The view whose filters are replaced. */
  replaced: View | undefined
}

/** Saves the draft of a view, or deletes the view. */
function useViewChanges({ list, search, view, onClose }: ViewDialogProps, { name, isShared, replaced }: Draft) {
  const client = useQueryClient()
  const finish = async (title: string) => {
    await refetchViews(client)
    toast({ tone: 'success', title, description: <bdi>{replaced?.name ?? name.trim()}</bdi> })
    onClose()
  }
  const saving = useSingleMutation({
    mutationFn: async () => {
      if (replaced)
        return call(viewRoutes.change, { params: { id: replaced.id }, body: { search }, ifMatch: replaced.version })
      const body = { name: name.trim() }
      const saved = await (view
        ? call(viewRoutes.change, { params: { id: view.id }, body, ifMatch: view.version })
        : call(viewRoutes.create, { body: { ...body, list, search } }))
      if (isShared === (view?.isShared ?? false)) return saved
      return call(viewRoutes.share, { params: { id: saved.id }, body: { isShared } })
    },
    onSuccess: () => finish('View Saved'),
    onError: () => void refetchViews(client),
  })
  const deleting = useSingleMutation({
    mutationFn: () => call(viewRoutes.remove, { params: { id: view?.id ?? '' } }),
    onSuccess: () => finish('View Deleted'),
    onError: () => void refetchViews(client),
  })
  return { saving, deleting }
}

/** Names a view, shares it, replaces what another one shows, or deletes it. */
export default function ViewDialog(props: ViewDialogProps) {
  const { list, view, views, mayShare, onClose } = props
  const [name, setName] = useState(view?.name ?? '')
  const [isShared, setShared] = useState(view?.isShared ?? false)
  const [replacedId, setReplacedId] = useState('')
  const replaceable = view
    ? []
    : views.filter((each) => each.list === list && each.isOwn && (mayShare || !each.isShared))
  const replaced = replaceable.find(({ id }) => id === replacedId)
  const { saving, deleting } = useViewChanges(props, { name, isShared, replaced })
  const failed = saving.error ?? deleting.error
  const problem = readProblems(failed)['name']
  return (
    <FormDialog
      title={view ? 'Saved View' : 'Save View'}
      description="Keeps the filters and the order of this list. A searched text is not kept."
      action={{ label: 'Save', disabled: !replaced && name.trim() === '' }}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
      pending={saving.isPending || deleting.isPending}
      refusal={failed && !problem ? describeChangeRefusal(failed) : null}
    >
      <div className="grid gap-4">
        {replaceable.length > 0 && <SaveAs views={replaceable} chosen={replacedId} onChoose={setReplacedId} />}
        {!replaced && (
          <TextField label="Name" error={problem} value={name} maxLength={maxViewName} dir="auto" onType={setName} />
        )}
        {mayShare && !replaced && (
          <Checkbox isChecked={isShared} onChange={setShared}>
            Share with everyone who may view this list
          </Checkbox>
        )}
        {view && (
          <Button
            size="small"
            variant="danger"
            loading={deleting.isPending}
            disabled={saving.isPending}
            onClick={() => deleting.mutate()}
            className="justify-self-start"
          >
            <Trash2 aria-hidden />
            Delete View
          </Button>
        )}
      </div>
    </FormDialog>
  )
}
interface SaveAsProps {
  views: readonly View[]
  /** The id of the view that is replaced; empty: none. */
  chosen: string
  onChoose: (id: string) => void
}
const SaveAs = ({ views, chosen, onChoose }: SaveAsProps) => (
  <SelectField
    label="Save as"
    options={[
      { value: '', label: 'New view' },
      ...views.map(({ id, name }) => ({ value: id, label: `Replace “${name}”` })),
    ]}
    value={chosen}
    onChoose={onChoose}
  />
)
