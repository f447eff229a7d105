import { useState } from 'react'
import { alertRoutes } from '#contract/alerts.ts'
import { endpointUrlProblem, isEndpointUrl, longestEndpointUrl } from '#contract/endpoints.ts'
import { call } from '#web/api.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useAccountChange } from './use-account-change.ts'

/** Takes the address of a chat's incoming webhook. The present one is not shown, since it is a secret. */
export default function AlertChatDialog({ isNew, onClose }: { isNew: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const url = typed.trim()
  const change = useAccountChange({
    check: () => ({ url: isEndpointUrl(url) ? undefined : `The address ${endpointUrlProblem}` }),
    send: () => call(alertRoutes.setChat, { body: { url } }),
    success: 'Webhook saved',
    describe: ({ alerts }) => alerts.chat.host ?? '',
    failure: 'Failed to save the webhook',
    onReply: onClose,
    fields: ['url'],
  })
  return (
    <FormDialog
      title={isNew ? 'Webhook of your chat' : 'Another webhook of your chat'}
      description="Make an incoming webhook in your chat and paste its address. Who knows it can write there, so it is not shown again."
      action={{ label: 'Save Webhook' }}
      {...change.form}
      onClose={onClose}
    >
      <TextField
        label="Address of the webhook"
        error={change.problems['url']}
        hint="It gets JSON with one text, as Slack, Mattermost and Teams take it."
        type="url"
        value={typed}
        maxLength={longestEndpointUrl}
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        onType={setTyped}
      />
    </FormDialog>
  )
}
