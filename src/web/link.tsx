import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useCanView } from './screen-permissions.ts'

interface LinkOrTextProps extends ComponentProps<'a'> {
  /** Whether it is the one that was chosen among others; `active`: while what it leads to is shown. */
  chosen?: boolean | 'active'
  'data-status'?: string
}

/** A link, or its words alone where it leads to a screen that the admin may not view. */
function LinkOrText({ href = '', className, children, chosen, ...rest }: LinkOrTextProps) {
  const isChosen = chosen === 'active' ? rest['data-status'] === 'active' : chosen
  if (useCanView(href))
    return (
      // Only the list of screens says which page is the present one.
      <a {...rest} aria-current={isChosen ? 'true' : undefined} href={href} className={className}>
        {children}
      </a>
    )
  const { title, dir } = rest
  return (
    <span {...{ title, dir }} className={cn(className, 'no-underline!')}>
      {children}
    </span>
  )
}

/** The router's link for every screen: a role is offered no way to what it may not view (product 2.6). */
export const Link = createLink(LinkOrText)
