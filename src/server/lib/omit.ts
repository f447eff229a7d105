/** `object` without these fields. */
export function omit<T extends object, Name extends keyof T>(object: T, names: readonly Name[]): Omit<T, Name> {
  const left: Partial<T> = { ...object }
  for (const name of names) delete left[name]
  return left as Omit<T, Name>
}
