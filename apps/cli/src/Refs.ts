/**
 * What names an entity on the command line.
 *
 * @since 0.1.0
 */

/** A number that is none is found by the client's check. */
export const refOf = (typeId: "myId" | "svcPayId", id: string) =>
  typeId === "myId" ? { typeId, id } : { typeId, id: /^\d+$/u.test(id) ? Number(id) : Number.NaN }
