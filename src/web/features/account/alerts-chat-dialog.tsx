import { useState } from 'react'
import { alertRoutes } from '#contract/alerts.ts'
import { endpointUrlProblem, isEndpointUrl, longestEndpointUrl } from '#contract/endpoints.ts'
import { call, describeChangeRefusal } from '#web/api.ts'
import { readProblems } from '#web/changes/read-problems.ts'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
import { useAccountChange } from './use-account-change.ts'

/** Takes the address of a chat's incoming webhook. The present one is not shown, since it is a secret. */
export default function AlertChatDialog({ isNew, onClose }: { isNew: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const change = useAccountChange({
    send: (url: string) => call(alertRoutes.setChat, { body: { url } }),
    onDone: ({ alerts }) => {
      toast({ tone: 'success', title: 'Webhook saved', description: alerts.chat.host ?? '' })
      onClose()
    },
    failure: 'Failed to save the webhook',
  })
  const found = problem ?? readProblems(change.error)['url']
  function submit() {
    const url = typed.trim()
    const wrong = isEndpointUrl(url) ? null : `The address ${endpointUrlProblem}`
    setProblem(wrong)
    if (wrong === null) change.mutate(url)
  }
  return (
    <FormDialog
      title={isNew ? 'Webhook of your chat' : 'Another webhook of your chat'}
      description="Make an incoming webhook in your chat and paste its address. Who knows it can write there, so it is not shown again."
      action={{ label: 'Save Webhook' }}
      onSubmit={submit}
      onClose={onClose}
      pending={change.isPending}
      refusal={change.error && !found ? describeChangeRefusal(change.error) : null}
    >
      <Field
        label="Address of the webhook"
        error={found}
        hint="It gets JSON with one text, as Slack, Mattermost and Teams take it."
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            value={typed}
            maxLength={longestEndpointUrl}
            autoComplete="off"
            spellCheck={false}
            placeholder="https://"
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
