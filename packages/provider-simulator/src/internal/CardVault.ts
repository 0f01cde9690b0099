/**
 * The vault of the simulated operator. A repeated card has the same token. No number is stored.
 *
 * **Details**
 *
 * The database contains nothing derived from a card number. A test card is recognized by its name in the database, also after
 * a restart. Other cards are recognized only in the memory of this process, by an HMAC under a random key that is never
 * written. After a restart, or in another process, such a card has another token.
 *
 * @since 0.1.0
 */
import { brandOf } from "@parcela/core/cards/CardBrand"
import type { CardData } from "@parcela/core/cards/Card"
import { type CardNumber, mask } from "@parcela/core/cards/CardNumber"
import { VaultToken } from "@parcela/core/cards/CardDecider"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { testCardOf, unlisted } from "../TestCards.ts"
import type { Decision } from "./ProviderRequests.ts"
import * as Transaction from "../StoreTransactions.ts"

/** Maximum number of cards in memory. The least recently used card is dropped and has a new token later. */
const maxNumbers = 10_000

// The update changes nothing. Without it `RETURNING` would omit an existing row.
const storeTestCard = `
  ${Transaction.insertInto("test_cards", ["company_id", "name", "token"])}
  ON CONFLICT (company_id, name) DO UPDATE SET name = excluded.name RETURNING token`

const columns = ["token", "company_id", "scenario", "mask", "brand", "expires_at", "created_at"]

const insert = `${Transaction.insertInto("cards", columns)} ON CONFLICT (token) DO NOTHING RETURNING token`

/** A card of a request. */
interface Sent extends Pick<CardData, "expiresAt"> {
  readonly digits: CardNumber
  /** The HMAC of the number. Undefined for a test card. */
  readonly name: string | undefined
}

function* ofTestCard(companyId: CompanyId, name: string, fresh: VaultToken): Transaction.Body<VaultToken> {
  const [stored] = yield* Transaction.write<{ token: string }>(storeTestCard, companyId, name, fresh)
  // The statement returns the inserted or the existing row.
  return VaultToken.make(stored!.token)
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  const mac = yield* Effect.provide(Mac.Mac, Mac.layerWebCrypto)
  const secret = yield* Effect.orDie(Mac.key(Mac.hmacSha256, yield* random.randomBytes(32)))
  // Fails only if the platform lacks SHA-256.
  const nameOf = (companyId: CompanyId, number: string) =>
    Effect.map(Effect.orDie(mac.sign(secret, new TextEncoder().encode(`${companyId}:${number}`))), Hex.encode)
  /** Tokens of cards that are no test cards, by HMAC, so that a memory dump contains no list of numbers. */
  const keys = new Map<string, VaultToken>()

  const newKey = Effect.map(random.randomBytes(24), (bytes) => VaultToken.make(`card_${Hex.encode(bytes)}`))

  /** Returns the token of the number with that HMAC. */
  const ofNumber = (name: string, fresh: VaultToken): VaultToken => {
    const token = keys.get(name) ?? fresh
    // A map is in insertion order, so the entry becomes the newest.
    keys.delete(name)
    keys.set(name, token)
    const [oldest] = keys.keys()
    if (keys.size > maxNumbers && oldest !== undefined) keys.delete(oldest)
    return token
  }

  function* give(
    companyId: CompanyId,
    { digits, expiresAt, name }: Sent,
    fresh: VaultToken,
    now: number
  ): Transaction.Body<Decision<VaultToken>> {
    const card = testCardOf(digits)?.name ?? unlisted
    const token = name === undefined ? yield* ofTestCard(companyId, card, fresh) : ofNumber(name, fresh)
    const about = [card, mask(digits), Option.getOrNull(brandOf(digits)), expiresAt]
    // The row decides if the card is new, because a token in memory outlives a rolled-back transaction.
    const inserted = yield* Transaction.write(insert, token, companyId, ...about, now)
    const isNew = inserted.length > 0
    if (!isNew) yield* Transaction.write("UPDATE cards SET expires_at = ? WHERE token = ?", expiresAt, token)
    const effect = isNew ? "tokenized" : "none"
    return { _tag: "Decision", response: token, outcome: "Tokenized", effect, isRepeat: !isNew }
  }

  return {
    /** Returns the decision that assigns a token to a card. */
    tokenize: Effect.fnUntraced(function* (companyId: CompanyId, { expiresAt, number }: CardData) {
      const digits = Redacted.value(number)
      const name = testCardOf(digits) === undefined ? yield* nameOf(companyId, digits) : undefined
      const fresh = yield* newKey
      return (now: number) => give(companyId, { digits, expiresAt, name }, fresh, now)
    })
  }
})
