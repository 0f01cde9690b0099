/**
 * The migrations of the store, in order. One that was released is never changed: a correction is a new one.
 *
 * @since 0.1.0
 */
import * as Migrator from "effect/sql/Migrator"
import type * as SqlClient from "effect/sql/SqlClient"
import { schema } from "./0001_schema.ts"

/**
 * The table of completed migrations.
 *
 * @category constants
 * @since 0.1.0
 */
export const table = "parcela_migrations"

const all = { "0001_schema": schema }

/**
 * The name of the last migration. A snapshot from another layout may not match the tables.
 *
 * @category constants
 * @since 0.1.0
 */
export const layout = Object.keys(all).toSorted().at(-1) ?? ""

/**
 * @category loaders
 * @since 0.1.0
 */
export const loader: Migrator.Loader<SqlClient.SqlClient> = Migrator.fromRecord(all)
