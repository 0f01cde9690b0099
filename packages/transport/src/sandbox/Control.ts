/**
 * Shared parts of the sandbox's controls: parameters, errors, access, instants, and requests to simulated providers.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import * as Schema from "effect/Schema"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { wire } from "../ApiError.ts"
import { EpochMillis } from "@parcela/core/time/Instant"
import { LocalDate } from "@parcela/core/time/LocalDate"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import { ClientId } from "../contract/EntityPath.ts"

/**
 * Allows a request from the server's own machine, or with the controls token if one is set.
 *
 * @category middleware
 * @since 0.1.0
 */
export class ControlsAccess extends HttpApiMiddleware.Service<ControlsAccess>()("@parcela/transport/ControlsAccess", {
  error: [wire.BadRequest, wire.Unauthorized, wire.Forbidden, wire.TooManyRequests]
}) {}

/**
 * A number that the service assigned to a company, an endpoint, a delivery or a transaction.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Id = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { expected: "a whole number from 1 up" }))

/**
 * The `myId` next to the number of a transaction.
 *
 * @category schemas
 * @since 0.1.0
 */
export const transactionMyId = described(
  Schema.optionalKey(Schema.String),
  "The transaction's identifier in the client system; absent if the transaction does not exist."
)

/**
 * The two fields that name a transaction.
 *
 * @category schemas
 * @since 0.1.0
 */
export const transactionNames = {
  myId: described(
    Schema.optionalKey(MyId),
    "The transaction, by its identifier in the client system or by the identifier of its charge."
  ),
  transactionId: described(Schema.optionalKey(Id), "The transaction, by the service's own identifier.")
}

/**
 * Requires exactly one of the two names.
 *
 * @category schemas
 * @since 0.1.0
 */
export const oneTransactionName = Schema.makeFilter(
  ({ myId, transactionId }: { readonly myId?: MyId; readonly transactionId?: number }) =>
    (myId === undefined) !== (transactionId === undefined),
  { expected: "either myId or transactionId" }
)

/**
 * The maximum number of entries in a page.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxPageSize = 100

/**
 * The schema of a page size.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PageSize = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: maxPageSize }, { expected: `a whole number from 1 to ${maxPageSize}` })
)

// `Date.parse` accepts 31 February as 3 March.
const isInstant = (text: string): boolean =>
  Schema.is(LocalDate)(text.slice(0, "YYYY-MM-DD".length)) && Schema.is(EpochMillis)(Date.parse(text))

/**
 * ISO 8601 with a zone: `2026-11-22T10:00:00Z`. Responses use UTC with milliseconds.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Instant = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/u, {
    expected: "a date and time with a zone, such as 2026-11-22T10:00:00Z"
  }),
  Schema.makeFilter(isInstant, {
    expected: "an existing date and time",
    toJsonSchema: () => ({ format: "date-time" })
  })
).pipe(
  Schema.decodeTo(
    EpochMillis,
    SchemaTransformation.transform({
      decode: (text: string) => Date.parse(text),
      encode: (millis: number) => new Date(millis).toISOString()
    })
  )
)

/**
 * An instant on the machine's clock, which clock advances of companies do not change.
 *
 * @category schemas
 * @since 0.1.0
 */
export const MachineInstant = Instant.pipe(Schema.brand("MachineTime"))

/**
 * The kinds of provider requests. Card vault: tokenize. Card operator: charge, capture, reverse. Boleto bank: register.
 * Pix provider: open. All of them: lookup, cancel.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ProviderCall = Schema.Literals([
  "tokenize",
  "charge",
  "capture",
  "reverse",
  "lookup",
  "register",
  "open",
  "cancel"
])

/**
 * The subject of a request. Omitted fields match every request.
 *
 * @category schemas
 * @since 0.1.0
 */
export const subject = {
  clientId: described(Schema.optionalKey(ClientId), "Only of this company; by default of all."),
  attemptId: described(Schema.optionalKey(AttemptId), "Only of this attempt, by its number in the ledger."),
  transactionId: described(Schema.optionalKey(SvcPayId), "Only of this transaction, by the service's identifier.")
}
