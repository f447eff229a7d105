import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleDot, CircleOff, ExternalLink, Power, TriangleAlert } from 'lucide-react'
import type { TokenKind } from '#contract/token-kinds.ts'
import { findDifferences, tokenRoutes } from '#contract/tokens.ts'
import type { Token } from '#contract/schemas/tokens.ts'
import { call, isUnauthorized } from '#web/api.ts'
import { describeWithReason, showFailure, showSentForApproval } from '#web/changes/change-toasts.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { lowBlocks, ShownBelow } from '#web/table/table-widths.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
import { Hash } from '#web/ui/hash.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { useSinglePress } from '#web/ui/single-press.ts'
import { toast } from '#web/ui/toast.ts'
import { refetchTokens } from './queries.ts'

const column = createColumns<Token>()

/** The project's name, linked to its website in a new tab without a referrer. */
function ProjectName({ token: { projectName, projectLink } }: { token: Token }) {
  if (!projectLink) {
    return (
      <bdi className="block truncate font-medium" title={projectName}>
        {projectName}
      </bdi>
    )
  }
  return (
    <a
      href={projectLink}
      target="_blank"
      rel="noopener noreferrer"
      title={projectLink}
      className="hit-area flex min-w-0 items-center gap-1.5 font-medium link-subject"
    >
      <bdi className="min-w-0 truncate">{projectName}</bdi>
      <ExternalLink aria-hidden className="size-3.5 shrink-0 text-quiet" />
      <span className="sr-only">(website, opens in a new tab)</span>
    </a>
  )
}

/** The differences between contract and registry. */
function Differences({ token }: { token: Token }) {
  const differences = token.chain ? findDifferences(token, token.chain) : []
  if (differences.length === 0) return null
  const text = capitalised(differences.map((each) => each.text).join('; '))
  return (
    <span title={text} className="flex min-w-0 items-center gap-1 text-12 text-warning-ink">
      <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
      <bdi className="min-w-0 truncate">{text}</bdi>
    </span>
  )
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const State = ({ isActive }: { isActive: boolean }) =>
  isActive ? (
    <Badge tone="success" icon={CircleDot}>
      Active
    </Badge>
  ) : (
    <Badge icon={CircleOff}>Inactive</Badge>
  )

/** The project, and under it the symbol where its column is hidden. */
const Project = ({ token }: { token: Token }) => (
  <div className="min-w-0 leading-4.5">
    <ProjectName token={token} />
    <ShownBelow width={680} className="text-12 text-quiet">
      <TruncatedText>{token.tokenSymbol}</TruncatedText>
    </ShownBelow>
    <ShownBelow width={lowBlocks} className="-my-[3px] text-quiet">
      <Hash value={token.contractAddress} name="contract address" />
    </ShownBelow>
    <Differences token={token} />
  </div>
)

/** Product 5.7, Token Management. */
export const tokenColumns = (kind: TokenKind) => [
  column.accessor('logo', {
    header: 'Logo',
    cell: ({ getValue }) => (
      <span className="inline-grid h-7 min-w-7 place-items-center rounded-m bg-neutral-soft px-1 text-16 leading-none whitespace-nowrap">
        {getValue()}
      </span>
    ),
    meta: { width: '44px', narrow: 'before' },
  }),
  column.display({
    id: 'project',
    header: 'Project',
    cell: ({ row }) => <Project token={row.original} />,
    meta: { min: '148px', narrow: 'subject' },
  }),
  column.accessor('tokenSymbol', {
    header: 'Symbol',
    cell: ({ getValue }) => (
      <bdi className="block truncate" title={getValue()}>
        {getValue()}
      </bdi>
    ),
    meta: { min: '64px', hideBelow: 680, narrow: 'hidden' },
  }),
  column.accessor('decimals', {
    header: 'Decimals',
    cell: ({ getValue }) => getValue(),
    meta: { width: '56px', align: 'right', hideBelow: 800, narrow: 'hidden' },
  }),
  column.accessor('contractAddress', {
    header: 'Contract Address',
    cell: ({ getValue }) => <Hash value={getValue()} name="contract address" />,
    meta: { width: '116px', grow: true, narrow: 'hidden' },
  }),
  column.accessor('isActive', {
    header: 'Status',
    cell: ({ getValue }) => <State isActive={getValue()} />,
    meta: { width: '80px', grow: true, narrow: 'aside' },
  }),
  column.accessor('createdAt', {
    header: 'Created',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(1000), hideBelow: 880, narrow: 'hidden' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row }) => (
      <RowActions>
        <PermissionGate permission="tokens.manage">
          <TokenToggle kind={kind} token={row.original} />
        </PermissionGate>
      </RowActions>
    ),
    meta: { width: '104px', align: 'right', narrow: 'button' },
  }),
]

interface TokenToggleProps {
  kind: TokenKind
  token: Token
}

/** The state a token is switched to, and the version it is switched from. */
interface Switch {
  isActive: boolean
  version: number
  isUndo: boolean
}

/** Switches a token on or off (product 7.5) with the version that is shown, so that another's change is refused. */
function TokenToggle({ kind, token }: TokenToggleProps) {
  const { id, isActive, version } = token
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (to: Switch) =>
      call(tokenRoutes.setActive, { params: { kind, id }, body: { isActive: to.isActive }, ifMatch: to.version }),
    onSuccess: async ({ token: changed }, { isUndo }) => {
      toast({
        tone: 'success',
        title: 'Token status updated successfully',
        description: `${describeToken(changed)} · ${changed.isActive ? 'Active' : 'Inactive'}`,
        // A click needs no confirmation, since Undo reverts it.
        ...(!isUndo && {
          action: {
            label: 'Undo',
            run: () => change.mutate({ isActive: !changed.isActive, version: changed.version, isUndo: true }),
          },
        }),
      })
      await refetchTokens(client)
    },
    onError: async (error) => {
      if (showSentForApproval(error) || isUnauthorized(error)) return
      // A toast instead of a note above the table, which would move other tokens under the pointer.
      showFailure(error, describeWithReason(error, 'Failed to update token status'))
      await refetchTokens(client)
    },
  })
  const { press, restingProps } = useSinglePress()
  const verb = isActive ? 'Deactivate' : 'Activate'
  return (
    <ChangeButton
      size="small"
      variant={isActive ? 'hover-danger' : 'default'}
      loading={change.isPending}
      aria-label={`${verb} ${describeToken(token)}`}
      {...restingProps}
      onClick={(event) =>
        press(event, (end) => change.mutate({ isActive: !isActive, version, isUndo: false }, { onSettled: end }))
      }
      className="rows:min-w-23"
    >
      <Power aria-hidden className="rows:hidden" />
      <span className="blocks:hidden">{verb}</span>
    </ChangeButton>
  )
}

/** "Solar Park (SOLR)" */
export const describeToken = ({ projectName, tokenSymbol }: Pick<Token, 'projectName' | 'tokenSymbol'>) =>
  `${projectName} (${tokenSymbol})`
