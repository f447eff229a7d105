import type { ReactNode } from 'react'
import type { Permission } from '#contract/permissions.ts'
import { useCan } from './use-can.ts'

interface PermissionGateProps {
  permission: Permission
  children: ReactNode
}

/** Shows its children only to an admin who has the permission. */
export const PermissionGate = ({ permission, children }: PermissionGateProps) => (useCan(permission) ? children : null)
