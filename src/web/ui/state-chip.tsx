import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { Badge } from './badge.tsx'
import { Skeleton } from './spinner.tsx'
import { usePopover } from './use-popover.ts'

export type ChipState = Required<Pick<ComponentProps<typeof Badge>, 'tone' | 'icon'>> & { label: string }

interface StateChipProps {
  /** What the popover is about: "Chain health". */
  label: string
  /** Undefined while it loads. */
  state: ChipState | undefined
  /** Why there is no state. */
  failure?: ReactNode
  className?: string
  children?: ReactNode
}

/** In the row of the tabs: a state in a few words, which a press explains. */
export function StateChip({ label, state, failure, className, children }: StateChipProps) {
  const [isOpen, setOpen] = usePopover()
  return (
    <div
      className={cn(
        'ml-auto flex min-h-8 shrink-0 items-center max-md:ml-0 max-md:min-h-10 max-md:max-w-full print:hidden',
        !state && failure && 'max-md:w-full max-md:py-1',
      )}
    >
      {state ? (
        <Popover.Root open={isOpen} onOpenChange={setOpen}>
          {/* Only the state is announced, since its details may change all the time. */}
          <output>
            <Popover.Trigger className="group relative rounded-full hit-area">
              <Badge
                {...state}
                className={cn(
                  'group-hover:brightness-96',
                  state.tone === 'danger' && 'bg-danger-solid! text-on-danger!',
                )}
              >
                {state.label}
                <ChevronDown aria-hidden className="size-3.25 shrink-0" />
              </Badge>
            </Popover.Trigger>
          </output>
          <Popover.Portal>
            <Popover.Content
              align="end"
              sideOffset={6}
              collisionPadding={8}
              aria-label={label}
              className={cn('popover w-96 px-4 py-3 tabular-nums', className)}
              onClick={({ target }) => target instanceof Element && target.closest('a') && setOpen(false)}
            >
              {children}
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      ) : (
        failure || <Skeleton className="h-5.5 w-32 rounded-full!" />
      )}
    </div>
  )
}
