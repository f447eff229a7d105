/** The status filter's options, in their order. */
export const statuses = [
  { value: 'completed', label: 'Completed' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
]
export const statusValues = statuses.map(({ value }) => value)
