import { ArrowDownLeft, ArrowLeftRight, ArrowUpRight, type LucideIcon } from 'lucide-react'
import { type TransactionType, transactionTypeLabels } from '#contract/transactions.ts'
import { formatDollars } from '#web/lib/money.ts'
import { Badge } from '#web/ui/badge.tsx'

export const transactionTypes: Record<TransactionType, { label: string; icon: LucideIcon }> = {
  deposit: { label: transactionTypeLabels.deposit, icon: ArrowDownLeft },
  withdrawal: { label: transactionTypeLabels.withdrawal, icon: ArrowUpRight },
  other: { label: transactionTypeLabels.other, icon: ArrowLeftRight },
}

export function TransactionTypeBadge({ type }: { type: TransactionType }) {
  const { icon, label } = transactionTypes[type]
  return <Badge icon={icon}>{label}</Badge>
}

/** An amount with its sign: a withdrawal has a minus sign, a deposit and any other type a plus sign. */
export const formatSignedDollars = ({ type, amount }: { type: TransactionType; amount: string }): string =>
  formatDollars(amount, type === 'withdrawal' ? '-' : '+')
