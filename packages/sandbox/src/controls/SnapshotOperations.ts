/**
 * Snapshots of a company, over HTTP.
 *
 * @since 0.1.0
 */
import type { CompanySnapshot, SnapshotRefused } from "@parcela/engine/ports/CompanySnapshots"
import type { ProviderError } from "@parcela/engine/ports/ProviderError"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import type { Operations } from "@parcela/http/ContractRoutes"
import { Conflict, NotFound } from "@parcela/transport/ApiError"
import type { SnapshotsGroup } from "@parcela/transport/sandbox/SnapshotControls"
import * as Effect from "effect/Effect"
import { CompanyStates } from "../CompanyStates.ts"
import { providersDown } from "../Paying.ts"
import { SandboxCompanies } from "../SandboxCompanies.ts"
import { companyIdOf } from "./Company.ts"

const refusal = ({ message, reason }: SnapshotRefused) =>
  reason === "CompanyNotFound" || reason === "SnapshotNotFound" ? new NotFound({ message }) : new Conflict({ message })

const failures = <A>(effect: Effect.Effect<A, NotFound | ProviderError | SnapshotRefused | StoreError>) =>
  Effect.catchTags(effect, {
    SnapshotRefused: (refused) => Effect.fail(refusal(refused)),
    ProviderError: () => Effect.fail(providersDown())
  })

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
  return {
    "snapshots.reset": Effect.fnUntraced(function* (request) {
      yield* states.restore(yield* companyIdOf(companies, request), undefined)
      return { reset: true as const }
    }, failures),
    "snapshots.list": Effect.fnUntraced(function* (request) {
      return { snapshots: (yield* states.list(yield* companyIdOf(companies, request))).map(shown) }
    }),
    "snapshots.take": Effect.fnUntraced(function* (request) {
      return shown(yield* states.take(yield* companyIdOf(companies, request), request.payload.name))
    }, failures),
    "snapshots.restore": Effect.fnUntraced(function* (request) {
      yield* states.restore(yield* companyIdOf(companies, request), request.params.name)
      return { restored: true as const }
    }, failures),
    "snapshots.remove": Effect.fnUntraced(
      function* (request) {
        const isDeleted = yield* states.remove(yield* companyIdOf(companies, request), request.params.name)
        if (!isDeleted) return yield* new NotFound({ message: "The company has no snapshot of that name" })
        return { deleted: true as const }
      },
      Effect.catchTag("ProviderError", () => Effect.fail(providersDown()))
    )
  }
})
