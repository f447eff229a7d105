import { type EvidenceKind, evidenceKinds } from '#contract/reconciliation.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { getLineDay, isAwaited } from './days.ts'
import { measureDistance } from './edit-distance.ts'
import { isOverlapping, listMentions, type Mention, type MentionSource } from './mentions.ts'
import { foldLookAlikes, foldNumber, listDeletions } from './reference-keys.ts'
import type { MatchOrder, MatchLookup } from './lookup.ts'

/** What names an order in a line. */
export interface Evidence {
  order: MatchOrder
  kind: EvidenceKind
  source: MentionSource
  /** What names it, as it is written. */
  text: string
  /** Whether the same text names another order as well. */
  isShared: boolean
}

/** A place that holds the number of one or more orders. */
interface NumberHit extends Mention {
  orders: readonly MatchOrder[]
}

/** Where the orders of a line are looked up, and of which day it is. */
interface OrderSearch {
  lookup: MatchLookup
  day: string | null
}

type AddEvidence = (orders: readonly MatchOrder[], kind: EvidenceKind, text: string) => void

/** The orders that a line names, by id, with the surest evidence for each. */
export function findEvidence(line: StatementLine, lookup: MatchLookup): Map<string, Evidence> {
  const found = new Map<string, Evidence>()
  const isSurer = (kind: EvidenceKind, known: Evidence | undefined) =>
    !known || evidenceKinds.indexOf(kind) > evidenceKinds.indexOf(known.kind)
  const search = { lookup, day: getLineDay(line) }
  for (const { source, mentions } of listMentions(line, lookup.numberLengths)) {
    findInText(mentions, search, (orders, kind, text) => {
      for (const order of orders)
        if (isSurer(kind, found.get(order.id)))
          found.set(order.id, { order, kind, source, text, isShared: orders.length > 1 })
    })
  }
  return found
}

function findInText(mentions: readonly Mention[], search: OrderSearch, add: AddEvidence) {
  const { lookup } = search
  const hits: NumberHit[] = []
  for (const mention of mentions) {
    const orders = mention.kind === 'number' ? lookup.findOrders('number', mention.key) : []
    if (orders.length > 0) hits.push({ ...mention, orders })
  }
  addNumbers(hits, add)
  const isTaken = (mention: Mention) => hits.some((hit) => isOverlapping(hit, mention))
  for (const mention of mentions) {
    const { kind, key, text } = mention
    if (kind === 'rf') add(lookup.findOrders('rf', key), 'rf', text)
    // A number that is right explains its place. What is left of the text may hold a garbled one.
    else if (kind === 'garbled' && !isTaken(mention)) addGarbled(mention, search, add)
    else if (kind === 'digits' && !isTaken(mention)) add(lookup.findOrders('digits', key), 'digits', text)
  }
}

/** “ORD-1 2” may be ORD-1 or ORD-12. Where two readings overlap both are in doubt, and the longer one is likelier. */
function addNumbers(hits: readonly NumberHit[], add: AddEvidence) {
  for (const hit of hits) {
    const others = hits.filter((other) => other !== hit && isOverlapping(other, hit))
    const isLongest = others.every((other) => other.end - other.start < hit.end - hit.start)
    const isSure = others.length === 0 && hit.isApart
    add(hit.orders, isSure ? 'number' : isLongest ? 'lookAlike' : 'typo', hit.text)
  }
}

function addGarbled({ key: word, text }: Mention, { lookup, day }: OrderSearch, add: AddEvidence) {
  add(lookup.findOrders('lookAlike', foldLookAlikes(word)), 'lookAlike', text)
  const near = [...listDeletions(word)].flatMap((key) => lookup.findOrders('nearby', key))
  for (const order of new Set(near))
    if (isAwaited(order, day) && measureDistance(foldNumber(order.orderNumber), word) <= 1) add([order], 'typo', text)
}
