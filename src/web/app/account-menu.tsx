import { useQueryClient } from '@tanstack/react-query'
import {
  BookOpen,
  Check,
  CircleUser,
  ListChecks,
  LogOut,
  Monitor,
  Moon,
  PanelLeft,
  Sun,
  type LucideIcon,
} from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { openApiRoutes } from '#contract/openapi.ts'
import { describeError } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import { useStore } from '#web/lib/store.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { toast } from '#web/ui/toast.ts'
import { usePopover } from '#web/ui/use-popover.ts'
import { AccountButton } from './account.tsx'
import { foldSidebar } from './fold-sidebar.ts'
import { signOut } from './session.ts'
import { chooseTheme, theme, themes, type Theme } from './theme.ts'

const themeLooks: Record<Theme, { label: string; icon: LucideIcon }> = {
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
  system: { label: 'System', icon: Monitor },
}
const item =
  'flex h-8 items-center gap-2.5 rounded-m px-2 text-13 outline-none select-none data-highlighted:bg-hover max-md:h-10'

interface AccountMenuProps {
  foldable: boolean
  onChoose?: (() => void) | undefined
}

export default function AccountMenu({ foldable, onChoose }: AccountMenuProps) {
  const client = useQueryClient()
  const [isOpen, setOpen] = usePopover(true)
  const chosen = useStore(theme)
  const leave = () => {
    signOut(client).catch((error: unknown) => {
      toast({ tone: 'destructive', title: 'Error', description: describeError(error, 'Failed to sign out') })
    })
  }
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <DropdownMenu.Trigger asChild>
        <AccountButton foldable={foldable} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content side="top" align="start" sideOffset={6} collisionPadding={8} className="popover w-56 p-1">
        <DropdownMenu.Item asChild className={item}>
          <Link {...paths.account()} onClick={onChoose}>
            <CircleUser aria-hidden strokeWidth={1.75} className="size-4 text-quiet" />
            Account
          </Link>
        </DropdownMenu.Item>
        <DropdownMenu.Item asChild className={item}>
          <Link {...paths.bulk()} onClick={onChoose}>
            <ListChecks aria-hidden strokeWidth={1.75} className="size-4 text-quiet" />
            Bulk Jobs
          </Link>
        </DropdownMenu.Item>
        <DropdownMenu.Separator className="-mx-1 my-1 border-t" />
        <DropdownMenu.Label className="px-2 pt-1.5 pb-1 text-12 text-quiet">Theme</DropdownMenu.Label>
        <DropdownMenu.RadioGroup value={chosen}>
          {themes.map((each) => {
            const { label, icon: Icon } = themeLooks[each]
            return (
              <DropdownMenu.RadioItem key={each} value={each} onSelect={() => chooseTheme(each)} className={item}>
                <Icon aria-hidden strokeWidth={1.75} className="size-4 text-quiet" />
                {label}
                <DropdownMenu.ItemIndicator className="ml-auto">
                  <Check aria-hidden className="size-4 text-accent-ink" />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            )
          })}
        </DropdownMenu.RadioGroup>
        <DropdownMenu.Separator className="-mx-1 my-1 border-t" />
        <FoldItem />
        <DropdownMenu.Item asChild className={item}>
          <a href={openApiRoutes.reader.path}>
            <BookOpen aria-hidden strokeWidth={1.75} className="size-4 text-quiet" />
            API
          </a>
        </DropdownMenu.Item>
        <DropdownMenu.Item onSelect={leave} className={item}>
          <LogOut aria-hidden strokeWidth={1.75} className="size-4 text-quiet" />
          Sign Out
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

const FoldItem = () => (
  <DropdownMenu.Item onSelect={foldSidebar} className={cn(item, 'hidden unfolded:flex')}>
    <PanelLeft aria-hidden strokeWidth={1.75} className="size-4 text-quiet" />
    Fold Sidebar
    <kbd aria-hidden className="ml-auto">
      [
    </kbd>
  </DropdownMenu.Item>
)
