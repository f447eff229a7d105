import { ChevronDown, CircleCheck, CircleX } from 'lucide-react'
import { Popover } from 'radix-ui'
import type { ChainHealth } from '#contract/schemas/chain.ts'
import { formatCount } from '#web/lib/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { usePopover } from '#web/ui/use-popover.ts'
import { nodeProblemTexts } from './chain-states.ts'

const modeLabels: Record<ChainHealth['mode'], string> = {
  rpc: 'By JSON-RPC nodes',
  embedded: 'The console’s own chain',
  off: 'Off',
}
const serviceLabels: Record<ChainHealth['providers'][number]['serves'], string> = {
  balances: 'balances',
  transfers: 'transfers',
  both: 'balances and transfers',
}

/** "2 of 3 nodes up". A click lists the host names alone, since the rest of an address may be a key. */
export function ChainNodes({ health }: { health: ChainHealth }) {
  const [isOpen, setOpen] = usePopover()
  const { providers, mode, chainId, headAt, checkedAt } = health
  const up = providers.filter(({ isUp }) => isUp).length
  const isAllUp = up === providers.length
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button size="small" className="md:ml-auto">
          <Badge plain tone={isAllUp ? 'success' : 'danger'} icon={isAllUp ? CircleCheck : CircleX}>
            {formatCount(up)} of {formatCount(providers.length)} {providers.length === 1 ? 'node' : 'nodes'} up
          </Badge>
          <ChevronDown aria-hidden className="size-3.5 text-quiet" />
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Chain and its nodes"
          className="popover w-96 px-4 py-2"
        >
          <Facts>
            <Fact name="Chain">
              {modeLabels[mode]}, id {chainId}
            </Fact>
            {headAt && (
              <Fact name="Newest block">
                <Instant value={headAt} />
              </Fact>
            )}
            {checkedAt && (
              <Fact name="Last read">
                <Instant value={checkedAt} />
              </Fact>
            )}
          </Facts>
          <ul className="border-t py-1">
            {providers.map(({ host, isUp, problem, serves: what }) => (
              <li key={host} className="flex items-center justify-between gap-3 py-1.5">
                <span className="min-w-0">
                  <span className="block truncate" title={host}>
                    {host}
                  </span>
                  <span className="block text-12 text-quiet">{serviceLabels[what]}</span>
                  {problem && <span className="block text-12 text-danger-ink">{nodeProblemTexts[problem]}</span>}
                </span>
                <Badge tone={isUp ? 'success' : 'danger'} icon={isUp ? CircleCheck : CircleX}>
                  {isUp ? 'Up' : problem === 'stands_still' ? 'Still' : 'Down'}
                </Badge>
              </li>
            ))}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
