/** Arguments without the keys that are `undefined`: the contract accepts absent keys, and no undefined. */
type Given<T> = { [Key in keyof T]: Exclude<T[Key], undefined> }

export const given = <T extends object>(input: T): Given<T> =>
  // The result has no undefined; a missing key was optional before.
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Given<T>
