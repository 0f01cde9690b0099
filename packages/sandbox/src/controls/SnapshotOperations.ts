/**
 * Snapshots of a company, over HTTP.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CompanySnapshot, SnapshotRefused } from "@parcela/engine/ports/CompanySnapshots"
import type { Operations } from "@parcela/http/Operation"
import { Conflict, NotFound } from "@parcela/transport/ApiError"
import type { SnapshotsGroup } from "@parcela/transport/sandbox/SnapshotControls"
import * as Effect from "effect/Effect"
import { CompanyStates } from "../CompanyStates.ts"
import { providersDown } from "../Paying.ts"
import { SandboxCompanies } from "../SandboxCompanies.ts"
import { companyIdOf } from "./Company.ts"

/** Maximum number of names in a message: a name has up to 100 characters, a message 255. */
const maxNames = 5

/** Returns an error that lists existing names, which helps after a typing error. */
const noSuchSnapshot = (snapshots: ReadonlyArray<CompanySnapshot>): NotFound => {
  const names = snapshots.slice(0, maxNames).map(({ name }) => `"${name}"`)
  const more = snapshots.length - names.length
  const known = snapshots.length === 0 ? "none" : [...names, ...(more === 0 ? [] : [`${more} more`])].join(", ")
  return new NotFound({ message: `The company has no snapshot of that name; it has ${known}` })
}

const refusal = ({ message, reason }: SnapshotRefused) =>
  reason === "CompanyNotFound" ? new NotFound({ message }) : new Conflict({ message })

const shown = ({ name, rows, takenAt }: CompanySnapshot) => ({ name, rows, takenAt })

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<
  Operations<typeof SnapshotsGroup>,
  never,
  CompanyStates | SandboxCompanies
> = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const states = yield* CompanyStates

  const notThere = (companyId: CompanyId) =>
    Effect.flatMap(states.list(companyId), (snapshots) => Effect.fail(noSuchSnapshot(snapshots)))

  const restored = (companyId: CompanyId, name?: string) =>
    Effect.catchTags(states.restore(companyId, name), {
      SnapshotRefused: (refused) =>
        refused.reason === "SnapshotNotFound" ? notThere(companyId) : Effect.fail(refusal(refused)),
      ProviderError: () => Effect.fail(providersDown())
    })

  return {
    "snapshots.reset": Effect.fnUntraced(function* (request) {
      yield* restored(yield* companyIdOf(companies, request))
      return { reset: true as const }
    }),
    "snapshots.list": Effect.fnUntraced(function* (request) {
      return { snapshots: (yield* states.list(yield* companyIdOf(companies, request))).map(shown) }
    }),
    "snapshots.take": Effect.fnUntraced(
      function* (request) {
        const taken = yield* states.take(yield* companyIdOf(companies, request), request.payload.name)
        return { ...shown(taken), ...(taken.isReplacing ? { replaced: true as const } : {}) }
      },
      Effect.catchTags({
        SnapshotRefused: (refused) => Effect.fail(refusal(refused)),
        ProviderError: () => Effect.fail(providersDown())
      })
    ),
    "snapshots.restore": Effect.fnUntraced(function* (request) {
      yield* restored(yield* companyIdOf(companies, request), request.params.name)
      return { restored: true as const }
    }),
    "snapshots.remove": Effect.fnUntraced(
      function* (request) {
        const companyId = yield* companyIdOf(companies, request)
        const isDeleted = yield* states.remove(companyId, request.params.name)
        if (!isDeleted) return yield* notThere(companyId)
        return { deleted: true as const }
      },
      Effect.catchTag("ProviderError", () => Effect.fail(providersDown()))
    )
  }
})
