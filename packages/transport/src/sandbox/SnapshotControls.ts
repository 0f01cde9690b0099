/**
 * Controls of a company's state: take, restore and remove snapshots, and reset.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import { nonEmptyString } from "@parcela/core/values/Text"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { company, errors, errorsWithBody, ofCompany } from "../contract/EntityPath.ts"
import { Instant } from "./Control.ts"

/** The name of a snapshot. HTTP clients remove the segments `.` and `..` from paths. */
const Name = nonEmptyString(100).check(Schema.isPattern(/^(?!\.{1,2}$)/u, { expected: "a name other than . and .." }))

const params = { ...ofCompany, name: described(Name, "The snapshot's name.") }

/**
 * The state of a company at one time.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Snapshot = Schema.Struct({
  name: Schema.String,
  rows: described(Schema.Int, "Number of its rows, including those of the simulated providers."),
  takenAt: Instant
})

/** A new snapshot. */
const TakenSnapshot = Schema.Struct({
  ...Snapshot.fields,
  replaced: described(Schema.optionalKey(Schema.Literal(true)), "Present if a snapshot with that name was replaced.")
})

const shown = { name: "three customers", rows: 41, takenAt: "2026-11-22T10:00:00.000Z" }

const conflicting = [...errors, wire.Conflict] as const

/**
 * @category groups
 * @since 0.1.0
 */
export class SnapshotsGroup extends HttpApiGroup.make("snapshots")
  .add(
    HttpApiEndpoint.post("reset", `${company}/reset`, {
      params: ofCompany,
      success: Schema.Struct({ reset: Schema.Literal(true) }),
      error: conflicting
    }).annotateMerge(
      documented({
        operationId: "resetCompany",
        summary: "Reset a company",
        description:
          "Removes all data of the company, including its data at the simulated providers, and sets its clock " +
          "to the machine's time, as for a new company. Its credentials, tokens and snapshots remain. Numbers " +
          "are never reused. Removed deliveries are not sent, and operations that were running change nothing " +
          "afterwards.",
        examples: { response: { reset: true } }
      })
    ),
    HttpApiEndpoint.get("list", `${company}/snapshots`, {
      params: ofCompany,
      success: Schema.Struct({ snapshots: Schema.Array(Snapshot) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listSnapshots",
        summary: "List the snapshots of a company",
        description: "Returns the snapshots by name, with their numbers of rows.",
        examples: { response: { snapshots: [shown] } }
      })
    ),
    HttpApiEndpoint.post("take", `${company}/snapshots`, {
      params: ofCompany,
      payload: Schema.Struct({ name: described(Name, "A snapshot with that name is replaced.") }),
      success: TakenSnapshot,
      error: [...errorsWithBody, wire.Conflict]
    }).annotateMerge(
      documented({
        operationId: "takeSnapshot",
        summary: "Take a snapshot of a company",
        description:
          "Stores all data of the company in the sandbox's database, with its clock and its data at the " +
          "simulated providers. A snapshot can be restored any number of times. A company has at most 50 " +
          "snapshots of at most 250,000 rows each. A 409 means that its clock is being advanced.",
        examples: { request: { name: shown.name }, response: shown }
      })
    ),
    HttpApiEndpoint.post("restore", `${company}/snapshots/:name/restore`, {
      params,
      success: Schema.Struct({ restored: Schema.Literal(true) }),
      error: conflicting
    }).annotateMerge(
      documented({
        operationId: "restoreSnapshot",
        summary: "Restore a snapshot",
        description:
          "Restores all data of the company, including its data at the simulated providers; later data is " +
          "removed. New entities get numbers that were never used. The clock has the same offset from the " +
          "machine's clock as in the snapshot. Operations that are running change nothing afterwards; " +
          "operations that were running when the snapshot was taken are resolved as after a crash. Data of " +
          "webhook receivers is not restored. A 409 means that the clock is being advanced, or that the " +
          "snapshot is of another version.",
        examples: { response: { restored: true } }
      })
    ),
    HttpApiEndpoint.delete("remove", `${company}/snapshots/:name`, {
      params,
      success: Schema.Struct({ deleted: Schema.Literal(true) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "deleteSnapshot",
        summary: "Delete a snapshot",
        description: "The company stays as it is.",
        examples: { response: { deleted: true } }
      })
    )
  )
  .annotate(FaultEntity, "Snapshot")
  .annotateMerge(
    OpenApi.annotations({ title: "Snapshots", description: "The data of a company, stored under a name and restored." })
  ) {}
