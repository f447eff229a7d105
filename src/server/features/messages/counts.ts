import { type DeliveryKind, shownStates } from '#contract/deliveries.ts'
import { declareCounts } from '#server/db/counts.ts'
import { messages } from '#server/db/tables/messages.ts'

type ShownState = (typeof shownStates)[number]

export const kinds: Record<DeliveryKind, string> = {
  event: "t.channel = 'platform'",
  case: "t.channel = 'kyc' AND t.direction = 'out'",
  result: "t.channel = 'kyc' AND t.direction = 'in'",
  alert: "t.channel IN ('email', 'chat')",
}

/** What is being sent still waits. */
const stateCondition = (state: ShownState) =>
  state === 'waiting' ? "t.state IN ('waiting', 'sending')" : `t.state = '${state}'`
const states = Object.fromEntries(shownStates.map((state) => [state, stateCondition(state)])) as Record<
  ShownState,
  string
>

export const messageCounts = declareCounts({
  name: 'messages',
  table: messages,
  at: messages.createdAt,
  by: { kind: kinds, state: states, endpoint: messages.endpointId },
})
