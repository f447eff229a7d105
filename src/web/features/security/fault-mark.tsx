import { OctagonX } from 'lucide-react'
import type { AuditFault } from '#contract/schemas/security.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { describeShownFault, faultLabels } from './fault-words.ts'

/** The faults of the last verification, by the row that shows them. */
export type RowFaults = ReadonlyMap<string, readonly AuditFault[]>

/** Marks a row that is not what was sealed, or beside which something is gone: an icon and a word for each kind of fault. */
export const FaultMark = ({ faults = [] }: { faults: readonly AuditFault[] | undefined }) =>
  [...new Set(faults.map(({ kind }) => faultLabels[kind]))].map((label) => (
    <Badge key={label} tone="danger" icon={OctagonX} className="my-0.5 mr-1">
      {label}
    </Badge>
  ))

interface FaultSentencesProps {
  id: string
  faults: readonly AuditFault[] | undefined
  /** Leads to the row among its neighbours. */
  hasLink: boolean
}

/** What is wrong at a row, a sentence for each fault. */
export const FaultSentences = ({ id, faults = [], hasLink }: FaultSentencesProps) =>
  faults.length > 0 && (
    <div className="text-12 leading-4.5 text-danger-ink rows:pt-2">
      {faults.map((fault) => (
        <p key={`${fault.seq} ${fault.kind}`}>{describeShownFault(fault)}</p>
      ))}
      {hasLink && (
        <Link {...paths.security({ tab: 'actions', upTo: id })} className="underline underline-offset-3">
          Show among its neighbours
        </Link>
      )}
    </div>
  )
