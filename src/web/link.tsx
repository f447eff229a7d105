import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useCanView } from './screen-permissions.ts'

/** A link, or its words alone where it leads to a screen that the admin may not view. */
function LinkOrText({ href = '', className, children, ...rest }: ComponentProps<'a'>) {
  if (useCanView(href))
    return (
      // The present place is marked where the screens are listed, once.
      <a {...rest} aria-current={undefined} href={href} className={className}>
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
