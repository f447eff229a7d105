import { Check, ChevronDown, Landmark, Pencil, Plus, SlidersHorizontal } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { useCan } from '#web/use-can.ts'
import { Button } from '#web/ui/button.tsx'
import { usePopover } from '#web/ui/use-popover.ts'
import { allAccounts, nameAccounts } from './account-names.ts'
import type { AccountsProps } from './accounts.tsx'

const item =
  'flex min-h-8 items-center gap-2.5 rounded-m px-2 text-13 outline-none data-highlighted:bg-hover max-md:min-h-10'

const Item = ({ className, ...rest }: ComponentProps<typeof DropdownMenu.Item>) => (
  <DropdownMenu.Item className={cn(item, '[&_svg]:size-4 [&_svg]:text-quiet', className)} {...rest} />
)

/** Chooses the account that the page is about, or all of them; and changes the accounts and the policy. */
export function AccountMenu({ accounts, chosen, onChoose, onOpen }: Omit<AccountsProps, 'stack'>) {
  const [isOpen, setOpen] = usePopover()
  const names = nameAccounts(accounts)
  const each = accounts.map(({ id, name, work }) => ({ id, name: names.get(id) ?? name, todo: work.total }))
  const all = { id: allAccounts, name: 'All accounts', todo: each.reduce((sum, { todo }) => sum + todo, 0) }
  const shown = each.find(({ id }) => id === chosen?.id) ?? all
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button
          variant="ghost"
          className="-ml-2 min-w-0 shrink justify-start bg-selected px-2! text-ink! max-md:flex-1 print:inline-flex!"
        >
          <Landmark aria-hidden />
          <bdi title={shown.name} className="max-w-64 truncate py-1 max-md:min-w-0">
            {shown.name}
          </bdi>
          <span className="max-phone:sr-only">
            <ToDo count={shown.todo} />
          </span>
          <ChevronDown aria-hidden className="size-3.5! text-quiet" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="start" sideOffset={6} collisionPadding={8} className="popover min-w-72 p-1">
          <DropdownMenu.RadioGroup value={shown.id} onValueChange={onChoose}>
            {(each.length > 1 ? [all, ...each] : each).map(({ id, name, todo }) => (
              <DropdownMenu.RadioItem key={id} value={id} className={item}>
                <bdi className="min-w-0 flex-1 wrap-anywhere">{name}</bdi>
                <ToDo count={todo} />
                <DropdownMenu.ItemIndicator>
                  <Check aria-hidden className="size-4 text-accent-ink" />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="-mx-1 my-1 border-t" />
          <ChangeItems name={shown.name} {...{ chosen, onOpen }} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface ChangeItemsProps extends Pick<AccountsProps, 'chosen' | 'onOpen'> {
  name: string
}

function ChangeItems({ name, chosen, onOpen }: ChangeItemsProps) {
  const mayManage = useCan('bank.manage')
  return (
    <>
      {mayManage && chosen && (
        <Item onSelect={() => onOpen({ dialog: 'account', account: chosen })}>
          <Pencil aria-hidden />
          <span className="min-w-0 wrap-anywhere">
            Edit <bdi>{name}</bdi>
          </span>
        </Item>
      )}
      {mayManage && (
        <Item onSelect={() => onOpen({ dialog: 'account', account: null })}>
          <Plus aria-hidden />
          Add Account
        </Item>
      )}
      <Item onSelect={() => onOpen({ dialog: 'policy' })}>
        <SlidersHorizontal aria-hidden />
        Policy
      </Item>
    </>
  )
}

const ToDo = ({ count }: { count: number }) => (
  <span className="text-12 font-regular whitespace-nowrap text-quiet tabular-nums">{formatCount(count)} to do</span>
)
