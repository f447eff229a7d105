import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useDeferredValue, useState, type KeyboardEvent } from 'react'
import { displayName, memberRoutes } from '#contract/members.ts'
import { buildQuery, describeError } from '#web/api.ts'
import { isComposingKey } from '#web/lib/keys.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { usePopover } from '#web/ui/use-popover.ts'
import { useSearchChange } from '#web/use-search-change.ts'

const shownMembers = 8

/** Narrows a list to one member, who is searched by name or email. */
export function MemberPicker() {
  const [isOpen, setOpen] = usePopover()
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button aria-label="All Members: member filter">
          All Members
          <ChevronDown aria-hidden className="text-quiet" />
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Member"
          className="popover w-80 p-2"
        >
          <Members />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function Members() {
  const changeSearch = useSearchChange()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const { data, error } = useQuery({
    ...buildQuery(memberRoutes.list, { query: { search, page: 1, limit: shownMembers } }),
    enabled: search !== '',
  })
  const choose = (userId: string) => changeSearch({ userId, page: undefined })
  const found = search === '' ? [] : (data?.users ?? [])
  const note = error
    ? describeError(error)
    : search === ''
      ? 'Type a name or an email.'
      : data && found.length === 0
        ? 'No member is found.'
        : null
  /** Enter takes the first member, and the arrows walk from the search into the list. */
  function moveByKey(event: KeyboardEvent<HTMLElement>) {
    if (isComposingKey(event.nativeEvent)) return
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button[data-member]')]
    const at = stops.findIndex((stop) => stop === document.activeElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    // What is found may be of a text that was typed before.
    if (event.key === 'Enter' && at === 0 && found[0] && search === typed.trim()) choose(found[0].id)
    if (step === undefined) return
    event.preventDefault()
    stops[at + step]?.focus()
  }
  return (
    <div role="presentation" onKeyDown={moveByKey}>
      <SearchInput
        label="Name or email of the member"
        placeholder="Name or email..."
        value={typed}
        onChange={setTyped}
      />
      {note && <output className="block px-2 pt-2 text-13 text-quiet">{note}</output>}
      <ul aria-label="Members found" className="mt-1">
        {found.map((member) => (
          <li key={member.id}>
            <button
              type="button"
              data-member
              onClick={() => choose(member.id)}
              className="block w-full rounded-s px-2 py-1.5 text-left text-13 hover:bg-hover max-md:py-2.5"
            >
              <span className="block truncate" dir="auto">
                {displayName(member)}
              </span>
              <span className="block truncate text-12 text-quiet">{member.email}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
