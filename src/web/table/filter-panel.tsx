import type { ComponentProps } from 'react'
import { PanelAtButton } from '#web/ui/panel-at-button.tsx'
import { FilterMenu } from './filter-menu.tsx'
import type { List } from './use-list.ts'

/** The menu of filters at its button. */
export default function FilterPanel({
  list,
  ...rest
}: { list: List } & Pick<ComponentProps<typeof PanelAtButton>, 'button' | 'onClose'>) {
  return (
    <PanelAtButton title="Filters" {...rest}>
      <FilterMenu list={list} onDone={rest.onClose} />
    </PanelAtButton>
  )
}
