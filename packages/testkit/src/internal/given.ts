/** Arguments without the keys that are `undefined`: the contract knows what is absent, and nothing else. */
type Given<T> = { [Key in keyof T]: Exclude<T[Key], undefined> }

export const given = <T extends object>(input: T): Given<T> =>
  // What is left has no undefined; a key that is missing was optional before.
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Given<T>
