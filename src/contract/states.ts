/**
 * The keys of `labels` in the order in which they are written: one object gives a list of states, their type and their labels.
 * @__NO_SIDE_EFFECTS__
 */
export const listKeys = <Key extends string>(labels: Readonly<Record<Key, unknown>>) =>
  // Object.keys only knows that they are strings.
  Object.keys(labels) as [Key, ...Key[]]
