/**
 * Checks at start that the service's database and the store of the simulated providers belong together. Each stores
 * data that the other depends on.
 *
 * **Details**
 *
 * Both stores have the identity of the database. A database that is older than the providers' store is refused: it
 * would reuse numbers, repeat provider requests, or miss a restore that the providers performed. A store that is older
 * than its database is accepted, because backups copy the providers first. Its restore counts are raised to the
 * database's, or the providers would ignore all later requests of those companies.
 *
 * @since 0.1.0
 */
import * as ServedDatabase from "@parcela/provider-simulator/ServedDatabase"
import type { SimulatorStore } from "@parcela/provider-simulator/SimulatorStore"
import * as DatabaseIdentity from "@parcela/store-sql/DatabaseIdentity"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"

const reasons = {
  DatabaseReplaced:
    "the providers worked for another database: this database is new, or was restored without their store",
  StoreReplaced: "the database belongs to another store: this store is new, or was restored without the database",
  DatabaseOlder: "the database is an older copy: the providers have payments or restores that the database lacks"
} as const

/**
 * The database and the providers' store do not belong together. Nothing was changed.
 *
 * @category errors
 * @since 0.1.0
 */
export class StoresNotPaired extends Schema.TaggedError<StoresNotPaired>()("StoresNotPaired", {
  reason: Schema.Literals(["DatabaseReplaced", "StoreReplaced", "DatabaseOlder"]),
  /** The location of the service's database, without secrets. */
  database: Schema.String,
  /** The location of the store of the simulated providers. */
  simulators: Schema.String
}) {
  override get message() {
    return (
      `${this.simulators} (the store of the simulated providers) does not belong to ${this.database}: ` +
      `${reasons[this.reason]}. Restore both from the same backup, remove both, or empty the providers' store with ` +
      `PARCELA_SIMULATORS=reset (the option "simulators" in a program), which keeps only the cards of the vault. Nothing was changed.`
    )
  }
}

/** The locations of the two stores, without secrets. */
export interface StoreLocations {
  readonly database: string
  readonly simulators: string
}

/**
 * Compares the two stores, and pairs them if both are new. With `isReplacement` a store that would be refused is replaced by
 * an empty one.
 *
 * @category running
 * @since 0.1.0
 */
export const pair = Effect.fn("PairedStores.pair")(function* (
  store: SimulatorStore["Service"],
  locations: StoreLocations,
  isReplacement: boolean
) {
  const served = ServedDatabase.of(store)
  const { identity, isShared } = yield* DatabaseIdentity.ensure
  const reason = yield* reasonOf(served, identity, isShared)
  if (reason !== undefined && !isReplacement) return yield* new StoresNotPaired({ reason, ...locations })
  if (reason !== undefined) {
    yield* served.reset(identity)
    yield* Effect.logWarning(
      `${locations.simulators}: the store of the simulated providers was replaced, because ${reasons[reason]}`
    )
  }
  if (!isShared) {
    yield* served.record(identity)
    yield* DatabaseIdentity.share
  }
  yield* catchUp(served, locations)
})

type Served = ServedDatabase.ServedDatabase

/**
 * Returns the reason why the two stores do not belong together. Reads the providers' store first, because another process
 * may write to both.
 */
const reasonOf = Effect.fnUntraced(function* (served: Served, identity: string, isShared: boolean) {
  const recorded = yield* served.identity
  if (recorded === undefined && isShared) return "StoreReplaced"
  if (recorded !== undefined && recorded !== identity) return "DatabaseReplaced"
  const theirs = yield* served.reached
  const lastAttempts = yield* served.lastAttempts
  const own = yield* DatabaseIdentity.reached
  if (theirs.companyId > own.companyId || theirs.transactionId > own.transactionId) return "DatabaseOlder"
  if (yield* lacksOne(lastAttempts)) return "DatabaseOlder"
  const restores = yield* served.restores
  const ownRestores = yield* DatabaseIdentity.restores
  for (const [companyId, times] of restores) {
    if (times > (ownRestores.get(companyId) ?? 0) && (yield* isAhead(served, companyId))) return "DatabaseOlder"
  }
  return undefined
})

/**
 * Returns true if the database lacks the last attempt that the providers received. The engine commits an attempt before
 * its provider request, so such a database is an older copy and would request a payment twice.
 */
const lacksOne = Effect.fnUntraced(function* (
  lastAttempts: ReadonlyArray<{ readonly companyId: number; readonly id: string }>
) {
  for (const { companyId, id } of lastAttempts) {
    const isThere = yield* DatabaseIdentity.hasAttempt(companyId, id)
    if (isThere !== undefined) return !isThere
  }
  return false
})

/**
 * Returns true if the providers have performed more restores of a company than the database. The database may have
 * started one more restore.
 */
const isAhead = Effect.fnUntraced(function* (served: Served, companyId: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const { atMost } = yield* DatabaseIdentity.holdRestores(companyId)
      return (yield* served.restoresOf(companyId)) > atMost
    })
  )
})

/**
 * Raises the restore counts of a store that is an older copy. The providers keep the rows from before those restores.
 */
const catchUp = Effect.fnUntraced(function* (served: Served, { simulators }: StoreLocations) {
  const sql = yield* SqlClient.SqlClient
  const restores = yield* served.restores
  for (const [companyId, times] of yield* DatabaseIdentity.restores) {
    if ((restores.get(companyId) ?? 0) >= times) continue
    const isBehind = yield* sql.withTransaction(
      Effect.gen(function* () {
        const { done } = yield* DatabaseIdentity.holdRestores(companyId)
        if ((yield* served.restoresOf(companyId)) >= done) return false
        yield* served.setRestores(companyId, done)
        return true
      })
    )
    if (isBehind) {
      yield* Effect.logWarning(
        `${simulators} is older than a restore of company ${companyId}: what the simulated providers did for it since is not there`
      )
    }
  }
})
