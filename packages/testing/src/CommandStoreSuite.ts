/**
 * What every adapter of the port `CommandStore` must do.
 *
 * @since 0.1.0
 */
import { describe } from "@effect/vitest"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { onEmptyStore, type StoreLayer } from "./StoreFixtures.ts"
import { loads } from "./internal/CommandStoreLoads.ts"
import { written } from "./internal/CommandStoreWrites.ts"
import { reruns } from "./internal/CommandStoreReruns.ts"
import { together } from "./internal/CommandStoresTogether.ts"
import { keys } from "./internal/CommandStoreKeys.ts"

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: StoreLayer): void =>
  void describe(`CommandStore (${name})`, () => {
    const onEmpty = onEmptyStore(layer)
    describe("a load", () => {
      loads(onEmpty)
    })
    describe("a write", () => {
      written(onEmpty)
    })
    describe("a unit that is run again", () => {
      reruns(onEmpty)
    })
    describe("a key", () => {
      keys(onEmpty)
    })
  })

/**
 * What two stores over one database must do together; `pair` makes an empty database each time it is run. For databases
 * that several processes may work on.
 *
 * @category suites
 * @since 0.1.0
 */
export const suiteOfTwo = (
  name: string,
  pair: Effect.Effect<{ readonly first: StoreLayer; readonly second: StoreLayer }, never, Scope.Scope>
): void =>
  void describe(`two CommandStores on one database (${name})`, () => {
    together(pair)
  })
