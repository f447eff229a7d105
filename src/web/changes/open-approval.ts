/** Leads to a request for approval. The toaster is outside the router, so the router says how. */
let open: ((id: string) => void) | undefined

export function onApprovalOpened(how: (id: string) => void): void {
  open = how
}

export const openApproval = (id: string): void => open?.(id)
