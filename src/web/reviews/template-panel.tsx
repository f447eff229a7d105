import { useQuery } from '@tanstack/react-query'
import { Check, Pencil, Plus } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef, useState } from 'react'
import { nameLanguage } from '#contract/reason-templates.ts'
import type { ReasonTemplate } from '#contract/schemas/reason-templates.ts'
import { describeError } from '#web/api.ts'
import { setFocusSuccessor } from '#web/lib/focus-successor.ts'
import { cn } from '#web/lib/cn.ts'
import { isComposingKey } from '#web/lib/keys.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { PanelAtButton } from '#web/ui/panel-at-button.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { Select } from '#web/ui/select.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { useCan } from '#web/use-can.ts'
import { readLanguage, storeLanguage, templatesQuery } from './reason-templates.tsx'

/** Enter in the search takes the first template, and the arrows walk from the search into the list. */
function moveByKey(event: KeyboardEvent<HTMLElement>) {
  const { key, target, currentTarget, nativeEvent, altKey, ctrlKey, metaKey } = event
  const stops = [...currentTarget.querySelectorAll<HTMLElement>('input, [data-template]')]
  const at = stops.findIndex((stop) => stop === target)
  if (at < 0 || altKey || ctrlKey || metaKey || isComposingKey(nativeEvent)) return
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step !== undefined) stops[(at + step + stops.length) % stops.length]?.focus()
  else if (key === 'Enter' && at === 0) stops[1]?.click()
  else return
  event.preventDefault()
}

interface TemplateActions {
  reason: string
  /** Adds a text to the reason, or takes it away. */
  onToggle: (text: string) => void
  /** Opens the form of a template; `new` is made from the reason. */
  onEdit: (template: ReasonTemplate | 'new') => void
  /** Gets the focus when that form closes. */
  findReason: () => HTMLElement | null
}
type TemplatePanelProps = TemplateActions &
  Pick<ComponentProps<typeof PanelAtButton>, 'button' | 'onClose' | 'onClosed'>

/** The templates of reasons, own and shared: one is added to the reason, edited, or made from it. */
export default function TemplatePanel({ reason, findReason, onToggle, onEdit, ...panel }: TemplatePanelProps) {
  const [typed, setTyped] = useState('')
  const [language, setLanguage] = useState(readLanguage)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => box.current?.querySelector('input')?.focus(), [])
  const isEmpty = reason.trim() === ''
  return (
    <PanelAtButton title="Templates" {...panel} className="flex w-96 flex-col overflow-hidden">
      <div ref={box} role="presentation" onKeyDown={moveByKey} className="group flex min-h-0 flex-col">
        <div className="flex gap-1.5 border-b p-2 max-md:border-0 max-md:p-0">
          <SearchInput
            label="Search templates"
            placeholder="Search templates..."
            type="text"
            autoComplete="off"
            value={typed}
            onChange={setTyped}
            className="min-w-0 flex-1"
          />
          <LanguageFilter
            language={language}
            onChoose={(chosen) => {
              setLanguage(chosen)
              storeLanguage(chosen)
            }}
          />
        </div>
        <div className="max-h-80 min-h-24 overflow-y-auto p-1.5 max-md:max-h-none max-md:px-0">
          <Templates typed={typed} language={language} {...{ reason, findReason, onToggle, onEdit }} />
        </div>
        <div className="border-t p-1.5 max-md:px-0">
          <Button
            variant="ghost"
            disabled={isEmpty}
            title={isEmpty ? 'Write a reason first' : undefined}
            onClick={({ currentTarget }) => {
              setFocusSuccessor(currentTarget, findReason)
              onEdit('new')
            }}
            className="w-full justify-start! px-2!"
          >
            <Plus aria-hidden />
            Save as Template…
          </Button>
        </div>
      </div>
    </PanelAtButton>
  )
}

function LanguageFilter({ language, onChoose }: { language: string; onChoose: (language: string) => void }) {
  const { data } = useQuery(templatesQuery)
  const used = new Set(data?.templates.map((each) => each.language)).add(language)
  used.delete('')
  const options = [...used].map((value) => ({ value, label: nameLanguage(value) }))
  return (
    <Select
      aria-label="Language of templates"
      options={[{ value: '', label: 'All languages' }, ...options.toSorted((a, b) => a.label.localeCompare(b.label))]}
      value={language}
      onChange={({ target }) => onChoose(target.value)}
      className="w-36 shrink-0"
    />
  )
}

interface TemplatesProps extends TemplateActions {
  typed: string
  /** Empty: all. */
  language: string
}

function Templates({ typed, language, ...actions }: TemplatesProps) {
  const { data, error, isFetching, refetch } = useQuery(templatesQuery)
  if (error)
    return (
      <ErrorState
        title="The templates could not be loaded"
        message={describeError(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    )
  const note = 'flex items-center justify-center gap-2 px-2 py-8 text-center text-13 text-quiet'
  if (!data)
    return (
      <output className={note}>
        <Spinner />
        Loading...
      </output>
    )
  const searched = typed.trim().toLowerCase()
  const ofLanguage = data.templates.filter((each) => language === '' || each.language === language)
  const found = ofLanguage.filter(({ name, text }) => `${name} ${text}`.toLowerCase().includes(searched))
  if (data.templates.length === 0)
    return <output className={note}>There are no templates yet. Write a reason, and save it as one.</output>
  if (ofLanguage.length === 0) return <output className={note}>No template is in {nameLanguage(language)}.</output>
  if (found.length === 0) return <output className={note}>No template says that.</output>
  const groups = Map.groupBy(found, ({ isShared }) => (isShared ? 'Shared' : 'Own'))
  return (['Own', 'Shared'] as const).map((group) => (
    <TemplateGroup key={group} group={group} templates={groups.get(group)} {...actions} />
  ))
}

interface TemplateGroupProps extends TemplateActions {
  group: 'Own' | 'Shared'
  templates: readonly ReasonTemplate[] | undefined
}

function TemplateGroup({ group, templates, reason, findReason, onToggle, onEdit }: TemplateGroupProps) {
  const mayEdit = useCan('views.share') || group === 'Own'
  if (!templates) return null
  return (
    <section aria-label={`${group} templates`}>
      <h3 className="px-2 pt-2 pb-1 text-12 font-regular text-quiet">{group}</h3>
      <ul>
        {templates.map((template) => (
          <li
            key={template.id}
            className={cn(
              'flex items-center rounded-m focus-within:bg-accent-soft hover:bg-hover',
              // What Enter in the search takes.
              'group-has-[input:focus]:in-[section:first-child]:first:bg-accent-soft',
            )}
          >
            <TemplateButton
              template={template}
              isAdded={reason.includes(template.text)}
              onToggle={() => onToggle(template.text)}
            />
            {mayEdit && (
              <IconButton
                label={`Edit ${template.name}`}
                onClick={({ currentTarget }: MouseEvent<HTMLElement>) => {
                  setFocusSuccessor(currentTarget, findReason)
                  onEdit(template)
                }}
                className="mr-1"
              >
                <Pencil aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface TemplateButtonProps {
  template: ReasonTemplate
  /** Whether the reason has its text. */
  isAdded: boolean
  onToggle: () => void
}

const TemplateButton = ({ template, isAdded, onToggle }: TemplateButtonProps) => (
  <button
    type="button"
    data-template
    aria-pressed={isAdded}
    title={template.text}
    onClick={onToggle}
    className="min-w-0 flex-1 rounded-m px-2 py-1.5 text-left -outline-offset-2! max-md:py-2.5"
  >
    <span className="flex items-baseline gap-2">
      <bdi className="min-w-0 truncate text-13 font-medium">{template.name}</bdi>
      <span className="ml-auto flex shrink-0 items-center gap-1 text-12 text-quiet">
        {isAdded && <Check aria-hidden className="size-3.5 text-accent-ink" />}
        {nameLanguage(template.language)}
      </span>
    </span>
    <span className="block truncate text-12 text-quiet" dir="auto" lang={template.language}>
      {template.text}
    </span>
    {!template.isOwn && <span className="sr-only">, shared by {template.owner}</span>}
  </button>
)
