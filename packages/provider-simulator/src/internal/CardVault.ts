/**
 * The simulated operator's vault: a card that is sent again has the key that it got first, and no number is stored.
 *
 * **Details**
 *
 * The database holds nothing that derives from a number, so cards are compared where they may be: in this process's
 * memory, for as long as it runs, and there as an HMAC under a random key that is never written anywhere. Test cards are known again by the name that their table gives them, which is in the
 * database and outlives a restart. Another number gets another key after a restart, or in another process.
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

/** Beyond it the number that was sent longest ago is forgotten, and gets another key. */
const mostNumbers = 10_000

// The update changes nothing; without it a row that is there would not be returned.
const keepTestCard = `
  ${Transaction.insertInto("test_cards", ["company_id", "name", "token"])}
  ON CONFLICT (company_id, name) DO UPDATE SET name = excluded.name RETURNING token`

const columns = ["token", "company_id", "scenario", "mask", "brand", "expires_at", "created_at"]

const insert = `${Transaction.insertInto("cards", columns)} ON CONFLICT (token) DO NOTHING RETURNING token`

/** A card as it was sent. */
interface Sent extends Pick<CardData, "expiresAt"> {
  readonly digits: CardNumber
  /** The HMAC of a number that is no test card's. */
  readonly name: string | undefined
}

function* ofTestCard(companyId: CompanyId, name: string, fresh: VaultToken): Transaction.Body<VaultToken> {
  const [kept] = yield* Transaction.write<{ token: string }>(keepTestCard, companyId, name, fresh)
  // The statement returns the row that it wrote or found.
  return VaultToken.make(kept!.token)
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  const mac = yield* Effect.provide(Mac.Mac, Mac.layerWebCrypto)
  const secret = yield* Effect.orDie(Mac.key(Mac.hmacSha256, yield* random.randomBytes(32)))
  // HMAC of bytes that are at hand fails only when the platform lacks SHA-256.
  const nameOf = (companyId: CompanyId, number: string) =>
    Effect.map(Effect.orDie(mac.sign(secret, new TextEncoder().encode(`${companyId}:${number}`))), Hex.encode)
  /** The keys of numbers that are no test cards, by HMAC: a dump of the memory does not list the numbers. */
  const keys = new Map<string, VaultToken>()

  const newKey = Effect.map(random.randomBytes(24), (bytes) => VaultToken.make(`card_${Hex.encode(bytes)}`))

  /** The key of the number with that HMAC. */
  const ofNumber = (name: string, fresh: VaultToken): VaultToken => {
    const token = keys.get(name) ?? fresh
    // Set anew, so that it is the youngest.
    keys.delete(name)
    keys.set(name, token)
    const [oldest] = keys.keys()
    if (keys.size > mostNumbers && oldest !== undefined) keys.delete(oldest)
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
    // The row decides: a key in memory outlives a unit that is undone.
    const inserted = yield* Transaction.write(insert, token, companyId, ...about, now)
    const isNew = inserted.length > 0
    if (!isNew) yield* Transaction.write("UPDATE cards SET expires_at = ? WHERE token = ?", expiresAt, token)
    const effect = isNew ? "tokenized" : "none"
    return { _tag: "Decision", response: token, outcome: "Tokenized", effect, isRepeat: !isNew }
  }

  return {
    /** The decision that gives a card its key. */
    tokenize: Effect.fnUntraced(function* (companyId: CompanyId, { expiresAt, number }: CardData) {
      const digits = Redacted.value(number)
      const name = testCardOf(digits) === undefined ? yield* nameOf(companyId, digits) : undefined
      const fresh = yield* newKey
      return (now: number) => give(companyId, { digits, expiresAt, name }, fresh, now)
    })
  }
})
