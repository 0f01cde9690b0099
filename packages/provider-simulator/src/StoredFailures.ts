/**
 * The plan of injected failures in the providers' store. It outlives the process, and all servers of one database share it.
 *
 * @since 0.1.0
 */
import { VaultToken } from "@parcela/core/cards/CardDecider"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { BusinessTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import { companyRestoresOf } from "./StoreTransactions.ts"
import { Call, FaultPlan, once, type PlannedFault, InjectedFailures, type Subject } from "./InjectedFailures.ts"
import { SimulatorStore } from "./SimulatorStore.ts"
import type { SqlError } from "effect/sql/SqlError"

/** A fault without fields. */
const bare = (name: "Unavailable" | "RequestLost" | "ResponseLost" | "Duplicated") => Schema.TaggedStruct(name, {})

const Stored = Schema.fromJsonString(
  Schema.Union([
    Schema.TaggedStruct("Denied", {
      code: Schema.String,
      message: Schema.String,
      merchantAdviceCode: Schema.optional(Schema.String)
    }),
    bare("Unavailable"),
    bare("RequestLost"),
    bare("ResponseLost"),
    bare("Duplicated"),
    Schema.TaggedStruct("Hang", { isDone: Schema.Boolean }),
    Schema.TaggedStruct("Slow", { delay: Schema.DurationFromMillis })
  ])
)

const Row = Schema.Struct({
  id: Schema.Int,
  call: Schema.NullOr(Call),
  fault: Stored,
  companyId: Schema.NullOr(CompanyId),
  attemptId: Schema.NullOr(AttemptId),
  transactionId: Schema.NullOr(SvcPayId),
  card: Schema.NullOr(VaultToken),
  times: Schema.NullOr(Schema.Int),
  from: Schema.NullOr(BusinessTime),
  until: Schema.NullOr(BusinessTime)
})

const encode = Schema.encodeEffect(Stored)
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

const columns =
  'id, call, fault, company_id AS "companyId", attempt_id AS "attemptId", transaction_id AS "transactionId", card, times, ' +
  'from_at AS "from", until_at AS "until"'

/** Returns the key with its value, or no key if the value is null. */
const present = <K extends string, A>(key: K, value: A | null): { readonly [P in K]?: A } =>
  // A computed key has the type of any text.
  (value === null ? {} : { [key]: value }) as { readonly [P in K]?: A }

const plannedOf = (row: typeof Row.Type): PlannedFault => {
  const { attemptId, call, card, companyId, fault, from, times, transactionId, until } = row
  const subject: Subject = {
    ...present("companyId", companyId),
    ...present("attemptId", attemptId),
    ...present("transactionId", transactionId),
    ...present("card", card)
  }
  return {
    fault,
    subject,
    ...present("call", call),
    ...present("times", times),
    ...present("from", from),
    ...present("until", until)
  }
}

const planOf = (sql: SqlClient.SqlClient): FaultPlan["Service"] => {
  const { forget } = planCacheOf(sql)
  const add = Effect.fn("FaultPlan.add")(function* ({ call, fault, from, subject, times, until }: PlannedFault) {
    yield* sql`INSERT INTO faults ${sql.insert({
      call: call ?? null,
      // The type of a fault is the type of its codec.
      fault: yield* Effect.orDie(encode(fault)),
      company_id: subject.companyId ?? null,
      attempt_id: subject.attemptId ?? null,
      transaction_id: subject.transactionId ?? null,
      card: subject.card ?? null,
      times: times ?? null,
      from_at: from ?? null,
      until_at: until ?? null,
      created_at: yield* Clock.currentTimeMillis
    })}`
  }, Effect.ensuring(forget))
  const planned = Effect.gen(function* () {
    const rows = yield* sql`SELECT ${sql.literal(columns)} FROM faults ORDER BY id`
    return (yield* Effect.orDie(decode(rows))).map(plannedOf)
  })
  return {
    next: (call, ...faults) => Effect.forEach(once(call, faults), add, { discard: true }),
    add,
    complete: (companyId, missing) =>
      Effect.gen(function* () {
        yield* companyRestoresOf(sql).lock(companyId)
        const { added, value } = missing(yield* planned)
        yield* Effect.forEach(added, add, { discard: true })
        return value
      }).pipe(sql.withTransaction, Effect.ensuring(forget)),
    planned,
    clear: (companyId) =>
      Effect.ensuring(
        Effect.asVoid(
          companyId === undefined ? sql`DELETE FROM faults` : sql`DELETE FROM faults WHERE company_id = ${companyId}`
        ),
        forget
      )
  }
}

/** Counts one request of a planned failure. Returns false if a concurrent request took the last one. */
const takeOne = (sql: SqlClient.SqlClient, { id, times }: typeof Row.Type) => {
  if (times === null) return Effect.succeed(true)
  const rows =
    times > 1
      ? sql`UPDATE faults SET times = times - 1 WHERE id = ${id} AND times = ${times} RETURNING id`
      : sql`DELETE FROM faults WHERE id = ${id} AND times = 1 RETURNING id`
  return Effect.map(Effect.ensuring(rows, planCacheOf(sql).forget), ({ length }) => length > 0)
}

const failuresOf = (sql: SqlClient.SqlClient, outer: InjectedFailures): InjectedFailures => {
  const { hasFailures } = planCacheOf(sql)
  const find: InjectedFailures["take"] = Effect.fnUntraced(function* (call, subject, at) {
    const { attemptId = null, card = null, companyId = null, transactionId = null } = subject
    const time = at ?? null
    while (true) {
      const rows = yield* sql`
        SELECT ${sql.literal(columns)} FROM faults
        WHERE (call IS NULL OR call = ${call}) AND (company_id IS NULL OR company_id = ${companyId})
          AND (attempt_id IS NULL OR attempt_id = ${attemptId}) AND (card IS NULL OR card = ${card})
          AND (transaction_id IS NULL OR transaction_id = ${transactionId})
          AND (from_at IS NULL OR from_at <= ${time}) AND (until_at IS NULL OR until_at > ${time})
        ORDER BY id LIMIT 1`
      if (rows.length === 0) return yield* outer.take(call, subject, at)
      const [planned] = yield* Effect.orDie(decode(rows))
      if (planned !== undefined && (yield* takeOne(sql, planned))) return Option.some(planned.fault)
    }
  })
  return {
    take: (...request) => Effect.flatMap(hasFailures, (any) => (any ? find(...request) : outer.take(...request)))
  }
}

/** A cached flag, because most plans are empty. */
interface PlanCache {
  /** False if no failure is planned. */
  readonly hasFailures: Effect.Effect<boolean, SqlError>
  /** Drops the cached flag after a write, or within the transaction of the write. */
  readonly forget: Effect.Effect<void>
}

/** One for each client, because all plans of a store share the flag. */
const planCaches = new WeakMap<SqlClient.SqlClient, PlanCache>()

const planCacheOf = (sql: SqlClient.SqlClient): PlanCache => {
  const existing = planCaches.get(sql)
  if (existing !== undefined) return existing
  const made = sql.onDialectOrElse({ sqlite: () => cachedOnSqlite(sql), orElse: () => notCached })
  planCaches.set(sql, made)
  return made
}

/** On PostgreSQL other processes write to the plan. */
const notCached: PlanCache = { hasFailures: Effect.succeed(true), forget: Effect.void }

const cachedOnSqlite = (sql: SqlClient.SqlClient): PlanCache => {
  let cached: boolean | undefined
  let writes = 0
  const forget = () => {
    cached = undefined
    writes += 1
  }
  companyRestoresOf(sql).onRestore(forget)
  return {
    hasFailures: Effect.suspend(() => {
      if (cached !== undefined) return Effect.succeed(cached)
      const before = writes
      return Effect.map(sql`SELECT id FROM faults LIMIT 1`, ({ length }) => {
        // A flag that was read before a write is not cached after it.
        if (before === writes) cached = length > 0
        return length > 0
      })
    }),
    forget: Effect.sync(forget)
  }
}

/**
 * The stored plan. Requests that match no planned failure use the outer `InjectedFailures`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<FaultPlan, never, SimulatorStore> = Layer.effectContext(
  Effect.gen(function* () {
    const sql = yield* SimulatorStore
    const outer = yield* InjectedFailures
    return Context.make(FaultPlan, planOf(sql)).pipe(Context.add(InjectedFailures, failuresOf(sql, outer)))
  })
)
