import { useState } from 'react'
import { addressForm, addressProblem } from '#contract/common.ts'
import type { TreasuryWallet } from '#contract/schemas/treasury.ts'
import { longestWalletLabel, treasuryRoutes, treasuryTexts } from '#contract/treasury.ts'
import { call, describeError } from '#web/api.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import type { Problems } from '#web/changes/read-problems.ts'
import { useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { plainText, TextField } from '#web/ui/text-field.tsx'
import { fetchWallet, refetchTreasury } from './treasury-changes.ts'

interface WalletDialogProps {
  /** Null: a new one. */
  wallet: TreasuryWallet | null
  onClose: () => void
}

/** Labels an own wallet, or changes its label. */
export default function WalletDialog({ wallet, onClose }: WalletDialogProps) {
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
