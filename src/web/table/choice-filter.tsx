import { useSearch } from '@tanstack/react-router'
import { Select, type Option } from '#web/ui/select.tsx'
import { useSearchChange } from '#web/use-search-change.ts'

/** A list's filter from the address bar. An unknown value is not a filter. */
export function useChoice<Value extends string>(parameter: string, values: readonly Value[]): Value | undefined {
  const { [parameter]: given }: Record<string, unknown> = useSearch({ strict: false })
  return values.find((value) => value === given)
}

interface ChoiceFilterProps {
  /** "Type filter" */
  label: string
  /** The parameter of the address bar. */
  parameter: string
  /** The first option, which filters nothing: "All Types". */
  all: string
  options: readonly Option[]
  /** What is chosen, where the parameter alone does not say. */
  value?: string
  /** Parameters that change with a choice. */
  alongside?: (value: string) => Record<string, string | undefined>
}

/** A filter beside the list's status filter; a choice leads to the first page. */
export function ChoiceFilter({ label, parameter, all, options, value, alongside }: ChoiceFilterProps) {
  const changeSearch = useSearchChange()
  const known = options.map((option) => option.value)
  const chosen = useChoice(parameter, known) ?? ''
  const choose = (wanted: string) =>
    changeSearch({ [parameter]: wanted || undefined, page: undefined, ...alongside?.(wanted) })
  return (
    <Select
      aria-label={label}
      options={[{ value: '', label: all }, ...options]}
      value={value ?? chosen}
      onChange={({ target }) => choose(target.value)}
      className="max-w-64 max-md:max-w-none max-md:min-w-32 max-md:flex-1"
    />
  )
}
