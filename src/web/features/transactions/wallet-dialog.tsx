import { useState } from 'react'
import { Trash2 } from 'lucide-react'
import { addressForm, addressProblem } from '#contract/common.ts'
import type { TreasuryWallet } from '#contract/schemas/treasury.ts'
import { longestWalletLabel, treasuryRoutes, treasuryTexts } from '#contract/treasury.ts'
import { call, describeError } from '#web/api.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { type Problems, useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { plainText, TextField } from '#web/ui/text-field.tsx'
import { fetchWallet, refetchTreasury } from './queries.ts'

export type OpenedWallet = { name: 'add' } | { name: 'edit' | 'remove'; wallet: TreasuryWallet }

/** Adds, renames or removes an own wallet. */
export default function WalletDialog({ opened, onClose }: { opened: OpenedWallet; onClose: () => void }) {
  if (opened.name === 'remove') return <RemoveDialog wallet={opened.wallet} onClose={onClose} />
  return <LabelDialog wallet={opened.name === 'edit' ? opened.wallet : null} onClose={onClose} />
}

interface LabelDialogProps {
  /** Null: a new one. */
  wallet: TreasuryWallet | null
  onClose: () => void
}

/** Labels an own wallet, or changes its label. */
function LabelDialog({ wallet, onClose }: LabelDialogProps) {
  const [address, setAddress] = useState('')
  const [label, setLabel] = useState(wallet?.label ?? '')
  const change = useChange({
    entity: wallet,
    check: () => ({
      ...(wallet === null && !addressForm.test(address.trim()) && { address: addressProblem }),
      ...(label.trim() === '' && { label: 'Required' }),
    }),
    send: async (current) =>
      current === null
        ? call(treasuryRoutes.addWallet, { body: { address: address.trim(), label: label.trim() } })
        : call(treasuryRoutes.updateWallet, {
            params: { id: current.id },
            body: { label: label.trim() },
            ifMatch: current.version,
          }),
    fetchFresh: async (current, client) => current && fetchWallet(current, client),
    refetch: refetchTreasury,
    success: wallet ? treasuryTexts.saved : treasuryTexts.added,
    describe: (reply) => reply.wallet.label,
    failure: (error) => describeError(error, wallet ? 'Failed to save the wallet' : 'Failed to add the wallet'),
    onDone: onClose,
    fields: ['address', 'label'],
  })
  return (
    <FormDialog
      title={wallet ? `Edit ${wallet.label}` : 'Add Wallet'}
      description={wallet ? wallet.address : 'A wallet of the platform itself, read with the next reading.'}
      action={{ label: wallet ? 'Save' : 'Add Wallet' }}
      {...change.form}
      onClose={onClose}
    >
      <WalletFields
        isNew={wallet === null}
        {...{ address, label }}
        problems={change.problems}
        onAddress={setAddress}
        onLabel={setLabel}
      />
      <ConflictHelp conflict={change.conflict}>{change.current && `Now ${change.current.label}.`}</ConflictHelp>
    </FormDialog>
  )
}

interface WalletFieldsProps {
  isNew: boolean
  address: string
  label: string
  problems: Problems
  onAddress: (address: string) => void
  onLabel: (label: string) => void
}

function WalletFields({ isNew, address, label, problems, onAddress, onLabel }: WalletFieldsProps) {
  return (
    <div className="grid gap-4">
      {isNew && (
        <TextField
          label="Address"
          error={problems['address']}
          hint="In mixed case it must match its EIP-55 checksum."
          {...plainText}
          value={address}
          maxLength={60}
          placeholder="0x…"
          onType={onAddress}
        />
      )}
      <TextField
        label="Label"
        error={problems['label']}
        {...plainText}
        value={label}
        maxLength={longestWalletLabel}
        dir="auto"
        placeholder="Payout wallet"
        onType={onLabel}
      />
    </div>
  )
}

/** Removes an own wallet and its label. */
function RemoveDialog({ wallet, onClose }: { wallet: TreasuryWallet; onClose: () => void }) {
  const change = useChange({
    entity: wallet,
    send: ({ id, version }) => call(treasuryRoutes.removeWallet, { params: { id }, ifMatch: version }),
    fetchFresh: fetchWallet,
    refetch: refetchTreasury,
    success: treasuryTexts.removed,
    describe: () => wallet.label,
    failure: 'Failed to remove the wallet',
    onDone: onClose,
  })
  return (
    <FormDialog
      role="alertdialog"
      title={`Remove ${change.current.label}?`}
      description="Its transfers stay, without the label. Nothing changes on the chain."
      action={{ label: 'Remove', icon: Trash2, tone: 'danger' }}
      {...change.form}
      onClose={onClose}
    >
      <ConflictHelp conflict={change.conflict}>{`Now it is labelled ${change.current.label}.`}</ConflictHelp>
    </FormDialog>
  )
}
