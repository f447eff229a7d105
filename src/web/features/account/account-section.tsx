import { useId, type ReactNode } from 'react'

interface AccountSectionProps {
  title: string
  /** What it is for, in a sentence or two. */
  description: ReactNode
  children: ReactNode
}

/** A part of the account: its name and purpose on the left, what can be done on the right; on narrow screens one over the other. */
export function AccountSection({ title, description, children }: AccountSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-3 border-t py-7 max-md:py-5 first:border-t-0 first:pt-0 wide:grid-cols-[minmax(0,16rem)_minmax(0,1fr)]"
    >
      <div className="max-w-150">
        <h2 id={id}>{title}</h2>
        <div className="mt-1 text-13 text-quiet">{description}</div>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}

export const accountCard =
  'flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-l border bg-card p-4 text-13'

/** What is said of one thing of the account, with its button at the right. */
export const AccountCard = ({ children }: { children: ReactNode }) => <div className={accountCard}>{children}</div>
