import { cloneElement, type ReactElement, type ReactNode } from 'react'
import { Avatar } from './avatar.tsx'

interface SubjectProps {
  name: string
  /** The row's link, without children: `<Link {...paths.member(id)} />`. In a table it covers the row. */
  link: ReactElement<{
    className?: string
    title?: string
    dir?: string
    children?: ReactNode
    'data-row-link'?: boolean
  }>
  /** The quieter second line. */
  children?: ReactNode
  /** What the avatar's letter is taken from, where it is not the name. */
  initialFrom?: string
}

/** The subject of a row: initial, linked name and a second line. A truncated name keeps its beginning in any script. */
export function Subject({ name, link, children, initialFrom = name }: SubjectProps) {
  return (
    <div className="flex min-w-0 items-center gap-2.5">
      <Avatar name={initialFrom} />
      <div className="min-w-0 flex-1 leading-4.5">
        {cloneElement(link, {
          className:
            'hit-line block w-fit max-w-full truncate rounded-s text-left text-13 outline-offset-0! font-medium link-subject',
          title: name,
          dir: 'auto',
          'data-row-link': true,
          children: name,
        })}
        {children && <div className="text-12 text-quiet">{children}</div>}
      </div>
    </div>
  )
}
