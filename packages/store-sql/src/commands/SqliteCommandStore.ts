/**
 * Commands on SQLite: load, decide and write in one synchronous transaction of the group commit.
 *
 * **Details**
 *
 * A refusal is returned after the COMMIT of its batch too, because it may depend on the writes of an earlier transaction in the batch.
 * A guard is an `UPDATE` with the loaded version: if another statement has changed the root since, the command runs again.
 *
 * @since 0.1.0
 */
import { CommandStore, type Outcome, type StoreCommand } from "@parcela/engine/command/CommandStore"
import type { LoadName } from "@parcela/engine/command/Loads"
import type { CompanyGuard, WriteSet } from "@parcela/engine/command/WriteSet"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { GroupCommit, type Transaction } from "@parcela/sqlite/GroupCommit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { SerializationError, SqlError } from "effect/sql/SqlError"
import * as Dialect from "../sql/Dialect.ts"
import {
  assignments,
  conditions,
  type DeleteShape,
  equalities,
  type InsertShape,
  onConflict,
  type RowWrite,
  type UpdateShape
} from "../sql/Shapes.ts"
import * as Statement from "../sql/Statement.ts"
import { rowWrites } from "../writes/RowWrites.ts"
import { commandError, decide, decideLoaded, loadOf, type Run, withReruns } from "./Commands.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<CommandStore, never, GroupCommit> = Layer.effect(
  CommandStore,
  Effect.gen(function* () {
    const groupCommit = yield* GroupCommit
    return CommandStore.of({
      run: <N extends LoadName, A, R>(command: StoreCommand<N, A, R>) => {
        const run = (one: StoreCommand<N, A, R>): Run<A, R> =>
          Effect.matchEffect(
            groupCommit.run((transaction) => runIn(transaction, one), one.isBackground),
            { onFailure: (error) => Effect.fail(commandError(error)), onSuccess: Effect.fromResult }
          )
        return withReruns(run(command), () => run({ ...command, loaded: undefined }))
      }
    })
  })
)

/** The body of the transaction. Throws an `SqlError`, also when a guard fails. */
const runIn = <N extends LoadName, A, R>(
  transaction: Transaction,
  command: StoreCommand<N, A, R>
): Result.Result<Outcome<A>, R | StoreError> => {
  const known = decideLoaded(command)
  if (known !== undefined && writeIfCurrent(known.writes, transaction)) return Result.succeed(known)
  const { text, values } = loadOf(command).statement(Dialect.sqlite, command.args, command.key)
  const decided = decide(command, transaction.read(text, values)[0])
  const writes = Result.isSuccess(decided) ? decided.success.writes : undefined
  if (writes !== undefined) runWrites(writes, transaction)
  return decided
}

const runWrites = (writes: WriteSet, transaction: Transaction): void => {
  for (const row of rowWrites(writes)) runWrite(row, writes.company, transaction)
}

/** Runs the writes of a decision on data of an earlier command. Writes nothing and returns false if the first guard fails. */
const writeIfCurrent = (writes: WriteSet, transaction: Transaction): boolean => {
  const [guard, ...rest] = rowWrites(writes)
  if (guard?._tag !== "Guard" || !holds(guard, writes.company, transaction)) return false
  for (const row of rest) runWrite(row, writes.company, transaction)
  return true
}

/**
 * Runs a write, as one statement for each row. Throws an `SqlError`; a guard whose version differs is a `SerializationError`.
 *
 * SQLite saves every changed page of a statement with several rows to a file, until it knows that no row was refused.
 *
 * @category running
 * @since 0.1.0
 */
export const runWrite = (
  write: RowWrite,
  company: CompanyGuard | undefined,
  transaction: Pick<Transaction, "change" | "write">
): void => {
  const run = transaction.write
  switch (write._tag) {
    case "Guard":
      if (!holds(write, company, transaction)) throw guardFailed(write.shape.table, write.id)
      return
    case "Insert":
      for (const row of write.rows) run(insertText(write.shape), row)
      return
    case "InsertNumbered":
      for (const row of write.rows) {
        run(insertText(write.shape), row.own)
        run(numberedText(write.related, write.key), row.related)
      }
      return
    case "Update":
      run(updateText(write.shape), [...write.set, ...write.where])
      return
    case "Delete":
      for (const value of write.among) run(deleteText(write.shape), [...write.where, value])
      return
    case "Count":
      run(countContracts, [write.by, write.customerId])
  }
}

/** Increments the version of a root. Returns false if the root or the company has another version than the loaded one. */
const holds = (
  { id, set, shape, version }: Extract<RowWrite, { readonly _tag: "Guard" }>,
  company: CompanyGuard | undefined,
  { change }: Pick<Transaction, "change">
): boolean =>
  (company === undefined
    ? change(guardText(shape), [...set, id, version])
    : change(companyGuardText(shape), [...set, id, version, company.id, company.restores, company.version])) > 0

/** The same error as that of a database with concurrent writers. */
const guardFailed = (table: string, id: number): SqlError => {
  const message = `Row ${id} of ${table} was changed since it was loaded`
  return new SqlError({
    reason: new SerializationError({ cause: new Error(message), message, operation: "execute" })
  })
}

type Bind = (value: Statement.Value) => string

/** Builds the text of a shape once: building a text takes longer than running it. */
const cached = <S extends object, More extends ReadonlyArray<string>>(
  build: (shape: S, bind: Bind, ...more: More) => string
): ((shape: S, ...more: More) => string) => {
  const texts = new WeakMap<S, string>()
  return (shape, ...more) => {
    const known = texts.get(shape)
    if (known !== undefined) return known
    const { text } = Statement.make(Dialect.sqlite, (bind) => build(shape, bind, ...more))
    texts.set(shape, text)
    return text
  }
}

const insertText = cached((shape: InsertShape, bind) => {
  const values = shape.columns.map(() => bind(null))
  return `INSERT INTO ${shape.table} (${shape.columns.join(", ")}) VALUES (${values.join(", ")})${onConflict(shape)}`
})

/** A row with the number of the row that was inserted last, in the column `key`. */
const numberedText = cached(({ columns, table }: InsertShape, bind, key: string) => {
  const values = columns.map(() => bind(null))
  return `INSERT INTO ${table} (${[key, ...columns].join(", ")}) VALUES (${["last_insert_rowid()", ...values].join(", ")})`
})

const update = (shape: UpdateShape, bind: Bind): string =>
  `UPDATE ${shape.table} SET ${assignments(shape, [], bind)} WHERE ${conditions(shape, [], bind)}`

const updateText = cached(update)

const guard = (shape: UpdateShape, bind: Bind): string => `${update(shape, bind)} AND version = ${bind(null)}`

const guardText = cached(guard)

/** A restore of the company may put rows back with the same versions, so the guard compares the company too. */
const companyGuardText = cached(
  (shape: UpdateShape, bind) => `${guard(shape, bind)}
    AND EXISTS (
      SELECT 1 FROM companies WHERE id = ${bind(null)} AND restores = ${bind(null)} AND version = ${bind(null)}
    )`
)

/**
 * Counts contracts of a customer in one write of one row. With a trigger SQLite would save each page that the insert of a contract changes
 * to a file first.
 */
const countContracts = "UPDATE customers SET contracts = contracts + ?1 WHERE id = ?2"

const deleteText = cached(
  ({ among, table, where }: DeleteShape, bind) =>
    `DELETE FROM ${table} WHERE ${equalities([...where, among], [], bind).join(" AND ")}`
)
