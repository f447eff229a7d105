import { Search, X } from 'lucide-react'
import { useRef, type ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { IconButton } from './icon-button.tsx'
import { Input } from './input.tsx'

interface SearchInputProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'ref'> {
  label: string
  value: string
  onChange: (value: string) => void
  /** Shown at the right while the box is empty: the key that leads here. */
  hint?: string
}

export function SearchInput({ label, value, onChange, hint, className, ...rest }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const clear = () => {
    onChange('')
    input.current?.focus()
  }
  return (
    <span className={cn('relative block', value === '' && 'print:hidden', className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-quiet"
      />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        maxLength={200}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        // Typing lays out the box alone, not the table below it.
        className="block pr-8 pl-8 contain-strict"
        {...rest}
      />
      {value !== '' && (
        <IconButton label="Clear search" tiny onClick={clear} className="absolute! top-1/2 right-1 -translate-y-1/2">
          <X aria-hidden />
        </IconButton>
      )}
      {value === '' && hint && (
        <kbd aria-hidden className="pointer-events-none absolute top-1/2 right-[7px] -translate-y-1/2">
          {hint}
        </kbd>
      )}
    </span>
  )
}
