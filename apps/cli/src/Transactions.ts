/**
 * The name of a transaction in a list of a sandbox.
 *
 * @since 0.1.0
 */

interface Named {
  readonly transactionId?: number | null | undefined
  readonly transactionMyId?: string | undefined
}

/** Returns the client's `myId`, or the number if the service generated the `myId`, which is long. */
export const transactionOf = ({ transactionId, transactionMyId = "" }: Named): string =>
  transactionMyId !== "" && !isMade(transactionMyId) ? transactionMyId : String(transactionId ?? "")

/** Returns true if the service generated the name, or a client chose one of that length. */
export const isMade = (myId: string): boolean => myId.length > 24
