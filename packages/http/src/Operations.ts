/**
 * The operations of the interface over the engine's use cases, and their routes.
 *
 * @since 0.1.0
 */
import { svcPay } from "@parcela/core/json/NamingProfile"
import { Secrets } from "@parcela/engine/authentication/Secrets"
import { Settings } from "@parcela/engine/Settings"
import { Contract } from "@parcela/transport/Contract"
import { BearerToken, ClientCredentials } from "@parcela/transport/Security"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Authentication from "./Authentication.ts"
import * as ContractRoutes from "./ContractRoutes.ts"
import { DocumentsWithLetters } from "./DocumentsWithLetters.ts"
import * as CardBrands from "./operations/CardBrands.ts"
import * as Cards from "./operations/Cards.ts"
import * as Customers from "./operations/Customers.ts"
import * as Charges from "./operations/Charges.ts"
import * as PaymentMethods from "./operations/PaymentMethods.ts"
import * as Plans from "./operations/Plans.ts"
import * as Subscriptions from "./operations/Subscriptions.ts"
import * as Token from "./operations/Token.ts"
import * as Transactions from "./operations/Transactions.ts"
import * as Webhooks from "./operations/Webhooks.ts"
import { StrictRequests } from "./StrictRequests.ts"

/**
 * The routes under `/v2`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpRouter.use(() =>
  Effect.gen(function* () {
    const operations = {
      ...(yield* Token.make),
      ...(yield* Subscriptions.make),
      ...(yield* Transactions.make),
      ...(yield* Customers.make),
      ...(yield* Cards.make),
      ...(yield* Plans.make),
      ...(yield* Charges.make),
      ...(yield* CardBrands.make),
      ...(yield* PaymentMethods.make),
      ...(yield* Webhooks.make)
    }
    const isOwnName = (yield* Settings).naming.name === svcPay.name
    const { newMyId } = yield* Secrets
    yield* ContractRoutes.add(Contract, operations, {
      authentication: [
        [ClientCredentials, yield* Authentication.clientCredentials],
        [BearerToken, yield* Authentication.bearerToken]
      ],
      isTolerant: !(yield* StrictRequests),
      mayHaveLetters: yield* DocumentsWithLetters,
      // Clients of another naming profile expect every field in responses, and some of them send no `myId`.
      absent: isOwnName ? "leftOut" : "null",
      ...(isOwnName ? {} : { newMyId })
    })
  })
)
