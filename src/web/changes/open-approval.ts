/** Leads to a request for approval. The toaster is outside the router, so the router says how. */
let open: ((id: string) => unknown) | undefined

export function onApprovalOpened(how: (id: string) => unknown): void {
  open = how
}

export const openApproval = (id: string): unknown => open?.(id)
