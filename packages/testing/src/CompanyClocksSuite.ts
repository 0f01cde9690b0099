/**
 * What every adapter of the port `CompanyClocks` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { ClockOffset } from "@parcela/core/time/BusinessTime"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { CompanyClocks } from "@parcela/engine/ports/CompanyClocks"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { keptCompany, onEmptyStore, type StoreLayer } from "./StoreFixtures.ts"

const year = ClockOffset.make(365 * 86_400_000)

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: StoreLayer): void =>
  void describe(`CompanyClocks (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    it.effect("puts one company's clock ahead, and no other's", () =>
      Effect.gen(function* () {
        const clocks = yield* CompanyClocks
        const { id: ahead } = yield* keptCompany
        const { id: other } = yield* keptCompany
        assert.deepStrictEqual(yield* clocks.offset(ahead), Option.some(0))
        assert.deepStrictEqual(yield* clocks.advance(ahead, year), Option.some(year))
        assert.deepStrictEqual(yield* clocks.offset(ahead), Option.some(year))
        assert.deepStrictEqual(yield* clocks.offset(other), Option.some(0))
      }).pipe(onEmpty)
    )

    it.effect("never puts a clock back", () =>
      Effect.gen(function* () {
        const clocks = yield* CompanyClocks
        const { id } = yield* keptCompany
        yield* clocks.advance(id, year)
        assert.deepStrictEqual(yield* clocks.advance(id, ClockOffset.make(1)), Option.some(year))
        assert.deepStrictEqual(yield* clocks.offset(id), Option.some(year))
      }).pipe(onEmpty)
    )

    it.effect("has no clock of a company that is not there", () =>
      Effect.gen(function* () {
        const clocks = yield* CompanyClocks
        const nobody = CompanyId.make(4_000_000)
        assert.deepStrictEqual(yield* clocks.offset(nobody), Option.none())
        assert.deepStrictEqual(yield* clocks.advance(nobody, year), Option.none())
      }).pipe(onEmpty)
    )
  })
