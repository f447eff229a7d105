import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { permissionLabels } from '#contract/permission-labels.ts'
import type { Permission } from '#contract/permissions.ts'
import { Button } from '#web/ui/button.tsx'
import type { useScreens } from './use-screens.ts'

interface NoAccessProps {
  permission: Permission
  /** A screen that the admin may view. */
  first: ReturnType<typeof useScreens>[number] | undefined
}

/** In place of a screen that the role may not view (product 2.6). */
export default function NoAccess({ permission, first }: NoAccessProps) {
  return (
    <div className="gutter py-6">
      <section className="mx-auto mt-[8vh] max-w-110 rounded-l border bg-card p-8 text-center">
        <Lock aria-hidden className="mx-auto mb-3 size-6 text-quiet" />
        <h2 className="text-16">You do not have access</h2>
        <p className="mt-1 mb-5 text-13 text-quiet">
          This needs the permission “{permissionLabels[permission]}” ({permission}). An operator who manages operators
          can give you a role that has it.
        </p>
        {first && (
          <Button asChild>
            <Link {...first.link} activeOptions={{ exact: true }}>
              Go to {first.label}
            </Link>
          </Button>
        )}
      </section>
    </div>
  )
}
