import { useState } from 'react'
import {
  type ChosenType,
  endpointNameProblem,
  endpointRoutes,
  endpointUrlProblem,
  eventTypeLabels,
  eventTypes,
  isEndpointName,
  isEndpointUrl,
  longestEndpointName,
  longestEndpointUrl,
} from '#contract/endpoints.ts'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import { call } from '#web/api.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { plainText, TextField } from '#web/ui/text-field.tsx'
import { fetchEndpoint, refetchEndpoints, stateWords } from './endpoints.ts'

interface EndpointDraft {
  name: string
  url: string
  /** Null: all. */
  types: readonly ChosenType[] | null
}
type Problems = Partial<Record<keyof EndpointDraft, string | undefined>>

/** What is wrong, in a form that stands beside the fields; an address that stays needs none. */
function findProblems({ name, url, types }: EndpointDraft, mayBeEmpty: boolean): Problems {
  return {
    name: isEndpointName(name) ? undefined : name === '' ? 'must not be empty' : endpointNameProblem,
    url:
      isEndpointUrl(url) || (mayBeEmpty && url === '')
        ? undefined
        : url === ''
          ? 'must not be empty'
          : endpointUrlProblem,
    types: types?.length === 0 ? 'must name at least one type' : undefined,
  }
}

const addedFrom = 'It gets the events that happen from now on.'
const changedFrom = 'Events that wait go to the address as it is then.'

interface Props {
  /** Null: a new one. */
  endpoint: Endpoint | null
  onClose: () => void
  /** Shows the secret of a new one. */
  onAdded: (endpoint: Endpoint, secret: string) => void
}

/** Adds or changes an endpoint. A refusal stays to be read, and what was typed stays. */
export default function EndpointDialog({ endpoint, onClose, onAdded }: Props) {
  const [typed, setTyped] = useState<EndpointDraft>({
    name: endpoint?.name ?? '',
    url: '',
    types: endpoint?.types ?? null,
  })
  const takeChange = (changed: Partial<EndpointDraft>) => {
    setTyped((now) => ({ ...now, ...changed }))
    change.clearProblems(changed)
  }
  const body = { name: typed.name.trim(), types: typed.types && [...typed.types] }
  const url = typed.url.trim()
  const change = useChange({
    entity: endpoint,
    check: () => findProblems({ ...body, url }, endpoint !== null),
    send: async (current) => {
      if (current === null) return call(endpointRoutes.create, { body: { ...body, url } })
      const params = { id: current.id }
      const given = { ...body, ...(url !== '' && { url }) }
      return call(endpointRoutes.update, { params, body: given, ifMatch: current.version })
    },
    fetchFresh: async (current, client) => current && fetchEndpoint(current, client),
    refetch: refetchEndpoints,
    success: endpoint ? 'Endpoint changed' : 'Endpoint added',
    describe: (reply) => reply.endpoint.name,
    onReply: (reply) => {
      if ('secret' in reply) onAdded(reply.endpoint, reply.secret)
    },
    failure: endpoint ? 'Failed to change the endpoint' : 'Failed to add the endpoint',
    onDone: onClose,
    fields: ['name', 'url', 'types'],
  })
  return (
    <FormDialog
      title={endpoint ? `Edit ${endpoint.name}` : 'Add Endpoint'}
      description={endpoint ? changedFrom : addedFrom}
      action={{ label: endpoint ? 'Save' : 'Add Endpoint' }}
      {...change.form}
      onClose={onClose}
    >
      <EndpointFields endpoint={endpoint} typed={typed} problems={change.problems} onChange={takeChange} />
      <ConflictHelp conflict={change.conflict}>
        {change.current && `Now ${change.current.name}, ${stateWords[change.current.state].toLowerCase()}.`}
      </ConflictHelp>
    </FormDialog>
  )
}

interface EndpointFieldsProps {
  endpoint: Endpoint | null
  typed: EndpointDraft
  problems: Problems
  onChange: (changed: Partial<EndpointDraft>) => void
}

/** The address of the settings is not changed here. */
function EndpointFields({ endpoint, typed, problems, onChange }: EndpointFieldsProps) {
  return (
    <div className="grid gap-4">
      <TextField
        label="Name"
        error={problems.name}
        {...plainText}
        value={typed.name}
        maxLength={longestEndpointName}
        dir="auto"
        placeholder="Billing"
        onType={(text) => onChange({ name: text })}
      />
      {!endpoint?.isFromSettings && (
        <TextField
          label="Address"
          optional={endpoint !== null}
          error={problems.url}
          {...(endpoint && {
            hint: `Left empty, events go on to ${endpoint.host}. The rest of the address is never shown.`,
          })}
          {...plainText}
          value={typed.url}
          maxLength={longestEndpointUrl}
          inputMode="url"
          placeholder="https://"
          onType={(text) => onChange({ url: text })}
        />
      )}
      <TypeChoice types={typed.types} problem={problems.types} onChange={(types) => onChange({ types })} />
    </div>
  )
}

function TypeChoice({
  types,
  problem,
  onChange,
}: {
  types: EndpointDraft['types']
  problem: string | undefined
  onChange: (types: EndpointDraft['types']) => void
}) {
  const toggle = (type: ChosenType) =>
    onChange(types?.includes(type) ? types.filter((each) => each !== type) : [...(types ?? []), type])
  return (
    <fieldset>
      <legend className="mb-1.5 text-13 font-medium">Events</legend>
      <Checkbox isChecked={types === null} onChange={(isAll) => onChange(isAll ? null : eventTypes)}>
        All, also types that come later
      </Checkbox>
      {types !== null && (
        <div className="mt-2 grid grid-cols-2 gap-x-3 gap-y-2 border-t pt-2 max-phone:grid-cols-1">
          {eventTypes.map((type) => (
            <Checkbox key={type} title={type} isChecked={types.includes(type)} onChange={() => toggle(type)}>
              {eventTypeLabels[type]}
            </Checkbox>
          ))}
        </div>
      )}
      <FieldError>{problem}</FieldError>
    </fieldset>
  )
}
