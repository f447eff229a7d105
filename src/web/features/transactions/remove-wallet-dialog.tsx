import { Trash2 } from 'lucide-react'
import type { TreasuryWallet } from '#contract/schemas/treasury.ts'
import { treasuryRoutes, treasuryTexts } from '#contract/treasury.ts'
import { call } from '#web/api.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { fetchWallet, refetchTreasury } from './treasury-changes.ts'

/** Removes an own wallet and its label. */
export default function RemoveWalletDialog({ wallet, onClose }: { wallet: TreasuryWallet; onClose: () => void }) {
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
