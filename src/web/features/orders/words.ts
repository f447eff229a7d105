import { canMove, type Order } from '#contract/orders.ts'
import { displayName } from '#contract/users.ts'

/** Whose order it is, as members are named everywhere (SPEC section 2, display rules). */
export const memberName = ({ userFirstName, userLastName, userEmail }: Order) =>
  displayName({ legalFirstName: userFirstName, legalLastName: userLastName, email: userEmail })

/** Whether the operator may decide on it; by the browser's clock, the server decides by its own. */
export const isOpen = (order: Order) => canMove('paid', order, new Date().toISOString())
