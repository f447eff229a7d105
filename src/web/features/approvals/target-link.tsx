import type { Approval } from '#contract/schemas/approvals.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'

const linkLook = 'underline decoration-border-control underline-offset-3'

/** What a request is about, with a link where it has a page. */
export function TargetLink({ target: { type, id, name } }: Pick<Approval, 'target'>) {
  const text = <bdi className="wrap-anywhere">{name}</bdi>
  switch (type) {
    case 'order':
      return (
        <Link {...paths.order(id)} className={linkLook}>
          {text}
        </Link>
      )
    case 'user':
      return (
        <Link {...paths.user(id)} className={linkLook}>
          {text}
        </Link>
      )
    case 'bank_line':
      return (
        <Link {...paths.reconciliation({ line: id })} className={linkLook}>
          {text}
        </Link>
      )
    case 'token':
    case 'bank_policy':
    case 'admin':
    case 'approval_rule':
      return text
  }
}
