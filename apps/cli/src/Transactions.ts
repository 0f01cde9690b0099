/**
 * How a list of a sandbox names a transaction.
 *
 * @since 0.1.0
 */

interface Named {
  readonly transactionId?: number | null | undefined
  readonly transactionMyId?: string | undefined
}

/** As the client calls it, or by its number: a name that the service made is long, and nobody types it. */
export const transactionOf = ({ transactionId, transactionMyId = "" }: Named): string =>
  transactionMyId !== "" && !isMade(transactionMyId) ? transactionMyId : String(transactionId ?? "")

/** Whether the service made a name, or a client made one as long. */
export const isMade = (myId: string): boolean => myId.length > 24
