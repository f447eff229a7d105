import type { FactorKind } from '#contract/factors.ts'
import type { Factor } from '#contract/schemas/factors.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import type { FactorDialogProps } from './factor-dialogs.tsx'

export type OpenFactor = (name: FactorDialogProps['name'], factor: Factor) => void

const column = createColumns<Factor>()

export const factorColumns = (kind: FactorKind, onOpen: OpenFactor) => [
  column.accessor('name', {
    header: kind === 'passkey' ? 'Passkey' : 'App',
    cell: ({ getValue }) => (
      <span className="block truncate font-medium" title={getValue()}>
        <bdi>{getValue()}</bdi>
      </span>
    ),
    meta: { min: '140px', narrow: 'full' },
  }),
  column.accessor('createdAt', {
    header: 'Added',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(760), narrow: 'labelled' },
  }),
  column.accessor('lastUsedAt', {
    header: 'Last Used',
    cell: ({ row: { original } }) =>
      original.lastUsedAt ? (
        <Instant value={original.lastUsedAt} className="text-quiet" />
      ) : (
        <MissingValue>Not yet</MissingValue>
      ),
    meta: { width: instantWidth(760), narrow: 'labelled' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <RowActions>
        <ChangeButton
          size="small"
          aria-haspopup="dialog"
          aria-label={`Rename ${original.name}`}
          onClick={() => onOpen('rename', original)}
        >
          Rename
        </ChangeButton>
        <ChangeButton
          size="small"
          variant="hover-danger"
          aria-haspopup="dialog"
          aria-label={`Remove ${original.name}`}
          onClick={() => onOpen('remove', original)}
        >
          Remove
        </ChangeButton>
      </RowActions>
    ),
    meta: { width: '150px', align: 'right', narrow: 'full' },
  }),
]
