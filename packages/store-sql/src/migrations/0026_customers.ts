/**
 * Customers are listed: by their times, their e-mail addresses, and by where they stand.
 *
 * **Details**
 *
 * What a customer has of live contracts is counted by triggers, so that no unit that starts or ends one can forget it, and
 * two that do so at once count both. What it owes is found by two indexes over the payments that are owed, and over no
 * others. What is live and what is owed are fixed here as core had it (`CustomerStatus`): a change of either is a migration.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

const isLive = "status IN ('active', 'waitingPayment', 'stopped')"
const isOwed = "status IN ('notSend', 'denied', 'pendingBoleto', 'notCompensated', 'pendingPix', 'unavailablePix')"

/** The tables of contracts. */
const contracts = ["subscriptions", "charges"]

/**
 * @category migrations
 * @since 0.1.0
 */
export const customers = Effect.gen(function* () {
  yield* columns
  yield* emails
  yield* owed
  yield* counts
})

const columns = Effect.gen(function* () {
  const { integer, sql, word } = yield* words
  for (const column of ["created_at", "updated_at", "contracts"]) {
    yield* sql`ALTER TABLE customers ADD COLUMN ${sql(column)} ${integer} NOT NULL DEFAULT 0`
  }
  yield* sql`ALTER TABLE customers ADD COLUMN is_active ${integer} NOT NULL DEFAULT 1`
  const time = (key: string) =>
    word(`COALESCE((data::jsonb ->> '${key}')::bigint, 0)`, `COALESCE(json_extract(data, '$.${key}'), 0)`)
  const live = contracts.map(
    (table) => `(SELECT count(*) FROM ${table} WHERE ${table}.customer_id = customers.id AND ${isLive})`
  )
  yield* sql`
    UPDATE customers SET created_at = ${time("createdAt")}, updated_at = ${time("updatedAt")},
      contracts = ${sql.literal(live.join(" + "))}
  `
  yield* sql`
    ALTER TABLE customers ADD COLUMN standing TEXT GENERATED ALWAYS AS (
      CASE WHEN is_active = 0 THEN 'inactive' WHEN contracts > 0 THEN 'contract' ELSE 'none' END
    ) ${word("STORED", "VIRTUAL")}
  `
  yield* sql`CREATE INDEX customers_standing ON customers (company_id, standing, id)`
  yield* sql`CREATE INDEX customers_created ON customers (company_id, created_at, id)`
  yield* sql`CREATE INDEX customers_updated ON customers (company_id, updated_at, id)`
})

const emails = Effect.gen(function* () {
  const { integer, sql, strict, word } = yield* words
  yield* sql`
    CREATE TABLE customer_emails (
      company_id ${integer} NOT NULL,
      email TEXT NOT NULL,
      customer_id ${integer} NOT NULL,
      CONSTRAINT "customer_emails.email" PRIMARY KEY (company_id, email, customer_id),
      FOREIGN KEY (company_id, customer_id) REFERENCES customers (company_id, id)
    ) ${strict}
  `
  const each = word(
    "jsonb_array_elements_text(data::jsonb -> 'emails') AS each (value)",
    "json_each(data, '$.emails') AS each"
  )
  yield* sql`
    INSERT INTO customer_emails (company_id, email, customer_id)
    SELECT DISTINCT company_id, lower(each.value), customers.id FROM customers, ${each}
  `
})

const owed = Effect.gen(function* () {
  const { sql } = yield* words
  const where = sql.literal(isOwed)
  yield* sql`CREATE INDEX transactions_owed_by ON transactions (company_id, customer_id, payday) WHERE ${where}`
  yield* sql`CREATE INDEX transactions_owed_on ON transactions (company_id, payday, customer_id) WHERE ${where}`
})

const counts = Effect.gen(function* () {
  const { sql } = yield* words
  yield* sql.onDialectOrElse({ pg: () => countsOfPostgres, orElse: () => countsOfSqlite })
})

const live = (row: "NEW" | "OLD") => `(${row}.${isLive})`

const countsOfSqlite = Effect.gen(function* () {
  const { sql } = yield* words
  for (const table of contracts) {
    const counting = (name: string, when: string, row: "NEW" | "OLD", change: string) => sql`
      CREATE TRIGGER ${sql(`${table}_${name}`)} AFTER ${sql.literal(when)}
      BEGIN
        UPDATE customers SET contracts = contracts + ${sql.literal(change)} WHERE id = ${sql.literal(row)}.customer_id;
      END
    `
    yield* counting("started", `INSERT ON ${table} WHEN ${live("NEW")}`, "NEW", "1")
    yield* counting(
      "moved",
      `UPDATE OF status ON ${table} WHEN ${live("NEW")} <> ${live("OLD")}`,
      "NEW",
      `${live("NEW")} - ${live("OLD")}`
    )
    yield* counting("removed", `DELETE ON ${table} WHEN ${live("OLD")}`, "OLD", "-1")
  }
})

const countsOfPostgres = Effect.gen(function* () {
  const { sql } = yield* words
  yield* sql`
    CREATE FUNCTION count_contracts() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE change INTEGER := 0;
    BEGIN
      IF TG_OP <> 'DELETE' THEN change := change + ${sql.literal(live("NEW"))}::int; END IF;
      IF TG_OP <> 'INSERT' THEN change := change - ${sql.literal(live("OLD"))}::int; END IF;
      IF change <> 0 THEN
        UPDATE customers SET contracts = contracts + change
        WHERE id = CASE WHEN TG_OP = 'DELETE' THEN OLD.customer_id ELSE NEW.customer_id END;
      END IF;
      RETURN NULL;
    END $$
  `
  for (const table of contracts) {
    yield* sql`
      CREATE TRIGGER ${sql(`${table}_counted`)} AFTER INSERT OR DELETE OR UPDATE OF status ON ${sql(table)}
      FOR EACH ROW EXECUTE FUNCTION count_contracts()
    `
  }
})
