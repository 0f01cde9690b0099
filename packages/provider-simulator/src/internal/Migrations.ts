/**
 * The migrations of the providers' store, in order. One that was released is never changed: a correction is a new one.
 *
 * @since 0.1.0
 */
import * as Migrator from "effect/sql/Migrator"
import type * as SqlClient from "effect/sql/SqlClient"
import { schema } from "../migrations/0001_schema.ts"

const all = { "0001_schema": schema }

/**
 * @category loaders
 * @since 0.1.0
 */
export const loader: Migrator.Loader<SqlClient.SqlClient> = Migrator.fromRecord(all)

/**
 * The name of the last migration.
 *
 * @category constants
 * @since 0.1.0
 */
export const layout = Object.keys(all).toSorted().at(-1) ?? ""
