import type { Order } from '#contract/schemas/orders.ts'
import { ApprovedBy } from '#web/approvals/approved-by.tsx'
import { moveApprovals } from '#contract/order-moves.ts'

/** Who approved the order's last move, where a rule asked for it. */
export const Approver = ({ order: { id, statusChangedBy: by, statusChangedAt: at } }: { order: Order }) => (
  <ApprovedBy type="order" id={id} change={{ actions: Object.values(moveApprovals), by, at }} />
)
