/**
 * A card operator with a vault and a ledger of its own, in the tables `operator_cards`, `operator_test_cards` and
 * `operator_charges`.
 *
 * What becomes of a charge is decided by the card's number, see `TestCards`. Of a card the vault stores the scenario
 * that its number stands for, brand, mask and expiry, and of a test card the name that the table of test cards gives it:
 * no number, no CVV, no holder, and nothing computed from them. See `internal/Vault` for how it knows a card again.
 *
 * @since 0.1.0
 */
import type { CardBrandId } from "@parcela/core/CardBrand"
import { dateAt } from "@parcela/core/WallClock"
import type { OperatorOutcome } from "@parcela/core/AttemptOutcome"
import type { AttemptId } from "@parcela/core/AttemptId"
import { CardOperator, type Charge } from "@parcela/engine/CardOperator"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { denial } from "./internal/Denial.ts"
import * as Edge from "./internal/Edge.ts"
import * as Vault from "./internal/Vault.ts"
import { type Scenario, denialOf } from "./TestCards.ts"
import { making } from "./internal/Tables.ts"

const Outcome = Schema.fromJsonString(
  Schema.Union([
    Schema.TaggedStruct("Captured", { tid: Schema.String, authorizationCode: Schema.String }),
    Schema.TaggedStruct("Authorized", { tid: Schema.String, authorizationCode: Schema.String }),
    Schema.TaggedStruct("Denied", { tid: Schema.String, code: Schema.String, message: Schema.String })
  ])
)

/** A card as the vault keeps it. */
interface KeptCard {
  readonly scenario: Scenario
  readonly brand: CardBrandId | null
  readonly expires_at: string
}

/**
 * Makes the operator's tables where they are missing, and answers an operator over them.
 *
 * **Details**
 *
 * Each call commits a transaction of its own. The same attempt always gets the answer that was recorded first, whatever
 * else the charge says. A charge of a card whose expiry month is over (in Brazil) is denied with 54, one of an unknown
 * token with 14.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const send = yield* Edge.make("card operator")
  yield* making(sql, setUp(sql))
  const vault = yield* Vault.make

  const recorded = Effect.fnUntraced(function* (attemptId: AttemptId) {
    const [row] = yield* sql<{ outcome: string }>`SELECT outcome FROM operator_charges WHERE attempt_id = ${attemptId}`
    return row === undefined ? Option.none() : Option.some(yield* Schema.decodeEffect(Outcome)(row.outcome))
  })

  const newAuthorizationCode = Effect.map(random.intBetween(0, 999_999), (code) => String(code).padStart(6, "0"))

  const decide = Effect.fnUntraced(function* (
    { authorizedAs, card: token, reference }: Charge,
    card: KeptCard | undefined,
    now: number
  ): Effect.fn.Return<OperatorOutcome, SqlError> {
    if (authorizedAs !== undefined) {
      return { _tag: "Captured", tid: authorizedAs, authorizationCode: yield* newAuthorizationCode }
    }
    const tid = yield* random.ulid
    if (card === undefined) return { _tag: "Denied", tid, ...denial("14", null) }
    if (card.expires_at < dateAt(now).slice(0, 7)) return { _tag: "Denied", tid, ...denial("54", card.brand) }
    const earlier = yield* sql`
      SELECT attempt_id FROM operator_charges WHERE card = ${token} AND reference = ${reference} LIMIT 1`
    const code = denialOf(card.scenario, earlier.length === 0)
    if (code !== undefined) return { _tag: "Denied", tid, ...denial(code, card.brand) }
    return { _tag: "Captured", tid, authorizationCode: yield* newAuthorizationCode }
  })

  const settle = Effect.fnUntraced(function* (charge: Charge) {
    const now = yield* Clock.currentTimeMillis
    // The update locks the card's row: two charges of one card never both count as the first.
    const [card] = yield* sql<KeptCard>`
      UPDATE operator_cards SET asked_at = ${now} WHERE token = ${charge.card} RETURNING scenario, brand, expires_at`
    const earlier = yield* recorded(charge.attemptId)
    if (Option.isSome(earlier)) return earlier.value
    const outcome = yield* decide(charge, card, now)
    yield* sql`
      INSERT INTO operator_charges ${sql.insert({
        attempt_id: charge.attemptId,
        card: charge.card,
        reference: charge.reference,
        value: charge.value,
        outcome: yield* Schema.encodeEffect(Outcome)(outcome),
        created_at: now
      })} ON CONFLICT (attempt_id) DO NOTHING`
    // Where cards differ or are unknown no row was locked, and another call may have recorded the attempt meanwhile.
    return Option.getOrElse(yield* recorded(charge.attemptId), () => outcome)
  })

  return CardOperator.of({
    keep: Effect.fn("CardOperator.keep")((companyId, card) =>
      send("keep", sql.withTransaction(vault.keep(companyId, card)))
    ),
    charge: Effect.fn("CardOperator.charge")((charge) => send("charge", sql.withTransaction(settle(charge)))),
    lookup: Effect.fn("CardOperator.lookup")((attemptId) => send("lookup", recorded(attemptId)))
  })
})

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<CardOperator, SqlError, SqlClient.SqlClient | SecureRandom.SecureRandom> =
  Layer.effect(CardOperator, make)

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<CardOperator, SqlError, SqlClient.SqlClient> = Layer.provide(
  layerNoDeps,
  SecureRandom.layerWebCrypto
)

const setUp = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`
    CREATE TABLE IF NOT EXISTS operator_charges (
      attempt_id TEXT PRIMARY KEY,
      card TEXT NOT NULL,
      reference BIGINT NOT NULL,
      value BIGINT NOT NULL,
      outcome TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`
  yield* sql`CREATE INDEX IF NOT EXISTS operator_charges_by_card ON operator_charges (card, reference)`
})
