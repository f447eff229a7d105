import type { ReactNode } from 'react'

/** Names and values, one a line. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[fit-content(50%)_minmax(0,1fr)] text-13 narrowest:grid-cols-1 narrowest:[&>dd]:border-t-0 narrowest:[&>dd]:pt-0 phone:grid-cols-[116px_minmax(0,1fr)] md:grid-cols-[148px_minmax(0,1fr)] [&>*]:border-t [&>*]:py-[9px] [&>dd:first-of-type]:border-t-0 [&>dt]:pr-3 [&>dt]:wrap-anywhere [&>dt]:text-quiet [&>dt:first-of-type]:border-t-0">
    {children}
  </dl>
)

export const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </>
)
