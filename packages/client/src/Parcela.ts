/**
 * The client with promises.
 *
 * @since 0.1.0
 */
import type { AccessToken } from "./AccessToken.ts"
import type { ReadOptions } from "./CallOptions.ts"
import { connect } from "./internal/connect.ts"
import type { ParcelaOperations } from "./ParcelaOperations.ts"
import type { ParcelaOptions } from "./ParcelaOptions.ts"

/**
 * The client: each operation of the service by its group, `parcela.transactions.add(..)`. One access token serves all
 * calls, and is had and renewed by itself.
 *
 * @category services
 * @since 0.1.0
 */
export interface Parcela extends ParcelaOperations {
  /** A token of one's own, for other programs; the operations get theirs by themselves. */
  readonly token: (options?: ReadOptions) => Promise<AccessToken>
}

/**
 * Makes a client; nothing is sent before the first call.
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
  // The operations are those of the contract, at run time; that the types are the contract's is proven in transport.
} as new (options: ParcelaOptions) => Parcela
