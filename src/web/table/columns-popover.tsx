import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState, type KeyboardEvent, type ReactElement } from 'react'
import { accountRoutes } from '#contract/account.ts'
import { type ListName, mostColumns } from '#contract/list.ts'
import type { ColumnChoice } from '#contract/schemas/account.ts'
import { call } from '#web/api.ts'
import { showFailure } from '#web/changes/change-toasts.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { usePopover } from '#web/ui/use-popover.ts'
import { accountQuery } from '#web/use-can.ts'
import { noChoice, orderColumns, useColumnChoice } from './use-columns.ts'

/** Shows a choice at once and keeps it. Choices of one list are sent one after the other. */
function useChoose(list: ListName) {
  const client = useQueryClient()
  const { mutate } = useMutation({
    scope: { id: `columns of ${list}` },
    mutationFn: (body: ColumnChoice) => call(accountRoutes.chooseColumns, { params: { list }, body }),
    onError: (error) => {
      showFailure(error, 'Failed to keep the columns')
      void client.invalidateQueries({ queryKey: accountQuery.queryKey })
    },
  })
  return (choice: ColumnChoice) => {
    client.setQueryData(
      accountQuery.queryKey,
      (account) => account && { ...account, columns: { ...account.columns, [list]: choice } },
    )
    mutate(choice)
  }
}

const densities = [
  { label: 'Comfortable', isCompact: false },
  { label: 'Compact', isCompact: true },
]

const DensityChoice = (chosen: { isCompact: boolean; onChoose: (isCompact: boolean) => void }) => (
  <fieldset className="flex gap-4">
    <legend className="mb-1.5 font-medium">Density</legend>
    {densities.map(({ label, isCompact }) => (
      <label key={label} className="flex items-center gap-2">
        <input
          type="radio"
          name="density"
          checked={chosen.isCompact === isCompact}
          onChange={() => chosen.onChoose(isCompact)}
          className="size-4 accent-(--accent)"
        />
        {label}
      </label>
    ))}
  </fieldset>
)

interface MoveButtonsProps {
  name: string
  isFirst: boolean
  isLast: boolean
  onMove: (step: 1 | -1) => void
}

/** One that can do nothing keeps the focus, so that the keys go on. */
const MoveButtons = ({ name, isFirst, isLast, onMove }: MoveButtonsProps) => (
  <>
    <IconButton label={`Move ${name} up`} tiny aria-disabled={isFirst} onClick={() => onMove(-1)}>
      <ChevronUp aria-hidden />
    </IconButton>
    <IconButton label={`Move ${name} down`} tiny aria-disabled={isLast} onClick={() => onMove(1)}>
      <ChevronDown aria-hidden />
    </IconButton>
  </>
)

export interface ListColumns {
  list: ListName
  /** The headings by the columns' ids, as designed. */
  headings: Readonly<Record<string, string>>
}

/** Density, and the columns in their order. Everything shows at once and is kept. */
function Choices({ list, headings }: ListColumns) {
  const [moved, setMoved] = useState('')
  const choice = useColumnChoice(list)
  const choose = useChoose(list)
  const [subject] = Object.keys(headings)
  const ids = orderColumns(Object.keys(headings), choice)
  // Another table of the same list may have columns of its own.
  const others = choice.order.filter((id) => !(id in headings))
  const move = (from: number, step: number) => {
    const id = ids[from]!
    const to = from + step
    if (to < 0 || to >= ids.length) return
    choose({ ...choice, order: [...ids.toSpliced(from, 1).toSpliced(to, 0, id), ...others].slice(0, mostColumns) })
    setMoved(`${headings[id]}, ${to + 1} of ${ids.length}`)
  }
  const moveByKey = (event: KeyboardEvent, at: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || !step) return
    event.preventDefault()
    move(at, step)
  }
  const show = (id: string, isShown: boolean) => {
    const hidden = choice.hidden.filter((each) => each !== id)
    choose({ ...choice, hidden: isShown ? hidden : [...hidden, id] })
  }
  return (
    <>
      <DensityChoice isCompact={choice.isCompact} onChoose={(isCompact) => choose({ ...choice, isCompact })} />
      <h2 className="mt-3.5 mb-1 font-medium">Columns</h2>
      <ul>
        {ids.map((id, at) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of what it holds
          <li key={id} onKeyDown={(event) => moveByKey(event, at)} className="flex h-8 items-center gap-1">
            <Checkbox
              isChecked={id === subject || !choice.hidden.includes(id)}
              disabled={id === subject}
              onChange={(isShown) => show(id, isShown)}
              className="flex-1"
            >
              {headings[id]}
            </Checkbox>
            <MoveButtons
              name={headings[id]!}
              isFirst={at === 0}
              isLast={at === ids.length - 1}
              onMove={(step) => move(at, step)}
            />
          </li>
        ))}
      </ul>
      <output className="sr-only">{moved}</output>
      <Button size="small" onClick={() => choose(noChoice)} className="mt-2.5">
        Reset
      </Button>
    </>
  )
}

/** Chooses which columns of a list show, in which order, and how high its rows are (product 4.10). */
export default function ColumnsPopover({ trigger, ...columns }: ListColumns & { trigger: ReactElement }) {
  const [isOpen, setOpen] = usePopover(true)
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Columns"
          className="popover w-72 p-3.5"
        >
          <Choices {...columns} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
