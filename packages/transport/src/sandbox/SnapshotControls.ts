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
  replaced: described(Schema.optionalKey(Schema.Literal(true)), "There where one of that name was replaced.")
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
          "Everything that it has is removed, at the simulated providers too, and its clock shows the machine's time, as if the company were new. Its credentials, its tokens and its snapshots stay. Numbers are never given out again. Nothing is delivered of it, and what was under way changes nothing afterwards.",
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
        description: "By name, with how many rows each has.",
        examples: { response: { snapshots: [shown] } }
      })
    ),
    HttpApiEndpoint.post("take", `${company}/snapshots`, {
      params: ofCompany,
      payload: Schema.Struct({ name: described(Name, "A snapshot of that name is replaced.") }),
      success: TakenSnapshot,
      error: [...errorsWithBody, wire.Conflict]
    }).annotateMerge(
      documented({
        operationId: "takeSnapshot",
        summary: "Take a snapshot of a company",
        description:
          "Keeps all that the company has, with its clock and what the simulated providers have of it, inside the sandbox's database. It may be put back as often as one likes. At most 50 of a company, of at most 250,000 rows each. A 409 while its clock is advanced.",
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
          "Every list returns what it returned when the snapshot was taken; what came after is gone, at the simulated providers too. What is made from then on has numbers that were never given out. The clock is as far ahead of the machine's as it was. What was under way changes nothing afterwards; what was under way when the snapshot was taken is resolved as after a crash. Receivers are not restored: they know what they were sent. A 409 while the clock is advanced, and when the snapshot is of another version.",
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
