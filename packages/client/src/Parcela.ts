/**
 * The client with promises.
 *
 * @since 0.1.0
 */
import { connect } from "./internal/connect.ts"
import type { ParcelaOperations } from "./ParcelaOperations.ts"
import type { AccessToken, ParcelaOptions, ReadOptions } from "./ParcelaOptions.ts"

/**
 * A client with the operations of the service by group: `parcela.transactions.add(..)`. All calls share one access token,
 * which the client requests and renews.
 *
 * @category services
 * @since 0.1.0
 */
export interface Parcela extends ParcelaOperations {
  /** Requests an additional token, for other programs. */
  readonly token: (options?: ReadOptions) => Promise<AccessToken>
}

/**
 * A client. It sends nothing before the first call.
 *
 * @category constructors
 * @since 0.1.0
 */
export const Parcela: new (options: ParcelaOptions) => Parcela = class {
  readonly token: Parcela["token"]

  constructor(options: ParcelaOptions) {
    const { operations, token } = connect(options)
    this.token = token
    Object.assign(this, operations)
  }
  // The methods come from the contract at run time; a test of `@parcela/transport` proves the types equal to the contract's.
} as new (options: ParcelaOptions) => Parcela
