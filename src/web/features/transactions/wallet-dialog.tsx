import { useState } from 'react'
import { addressForm, addressProblem } from '#contract/common.ts'
import type { TreasuryWallet } from '#contract/schemas/treasury.ts'
import { longestWalletLabel, treasuryRoutes, treasuryTexts } from '#contract/treasury.ts'
import { call, describeError } from '#web/api.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Input } from '#web/ui/input.tsx'
import { fetchWallet, refetchTreasury } from './treasury-changes.ts'

interface WalletDialogProps {
  /** Null: a new one. */
  wallet: TreasuryWallet | null
  onClose: () => void
}

type Problems = { address?: string; label?: string }

/** Labels an own wallet, or changes its label. */
export default function WalletDialog({ wallet, onClose }: WalletDialogProps) {
  const [address, setAddress] = useState('')
  const [label, setLabel] = useState(wallet?.label ?? '')
  const [problems, setProblems] = useState<Problems>({})
  const change = useChange({
    entity: wallet,
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
  function submit() {
    const found: Problems = {
      ...(wallet === null && !addressForm.test(address.trim()) && { address: addressProblem }),
      ...(label.trim() === '' && { label: 'Required' }),
    }
    setProblems(found)
    if (Object.keys(found).length === 0) change.apply()
  }
  return (
    <FormDialog
      title={wallet ? `Edit ${wallet.label}` : 'Add Wallet'}
      description={wallet ? wallet.address : 'A wallet of the platform itself, read with the next reading.'}
      action={{ label: wallet ? 'Save' : 'Add Wallet' }}
      onSubmit={submit}
      onClose={onClose}
      pending={change.isPending}
      refusal={change.refusal}
    >
      <WalletFields
        isNew={wallet === null}
        {...{ address, label }}
        problems={{ ...change.problems, ...problems }}
        onAddress={setAddress}
        onLabel={setLabel}
      />
      <ConflictHelp conflict={change.conflict}>{change.current && `Now ${change.current.label}.`}</ConflictHelp>
    </FormDialog>
  )
}

const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

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
        <Field label="Address" error={problems.address} hint="In mixed case it must match its EIP-55 checksum.">
          {(control) => (
            <Input
              {...control}
              {...plain}
              value={address}
              maxLength={60}
              placeholder="0x…"
              onChange={({ target }) => onAddress(target.value)}
            />
          )}
        </Field>
      )}
      <Field label="Label" error={problems.label}>
        {(control) => (
          <Input
            {...control}
            {...plain}
            value={label}
            maxLength={longestWalletLabel}
            dir="auto"
            placeholder="Payout wallet"
            onChange={({ target }) => onLabel(target.value)}
          />
        )}
      </Field>
    </div>
  )
}
