/**
 * What holds of every kind of entity: what is written comes back, keys are unique within a company, and no company sees
 * another company's.
 *
 * @since 0.1.0
 */
import { assert, it, layer as withLayer } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { bySvcPayId, byMyId, type EntityRef, MyId, type SvcPayId } from "@parcela/core/values/Identifier"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import type { StorePorts } from "@parcela/engine/command/StorePorts"
import type * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { keptCompany, onEmptyStore, type StoreLayer } from "../StoreFixtures.ts"
import { conflictOf } from "./Failures.ts"

interface Entity {
  readonly id: SvcPayId
  readonly companyId: CompanyId
  readonly myId?: MyId
}

/** What the cases need to know of a kind of entity. */
export interface EntityOptions<S extends Entity> {
  readonly table: string
  readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<S>, unknown, StorePorts>
  /** Writes a new state, or another one of what is there. */
  readonly write: (next: S, before?: S) => Effect.Effect<void, StoreError, StorePorts>
  readonly arbitrary: Arbitrary.Arbitrary<S>
  /** A new state of a company; what it refers to is kept. */
  readonly fresh: (companyId: CompanyId, changes?: Partial<Entity>) => Effect.Effect<S, unknown, StorePorts>
  /** What an arbitrary state must share with a fresh one to be kept. */
  readonly place: (arbitrary: S, fresh: S) => S
}

/** The cases of every kind of entity, as tests of the `describe` that is open. */
export const entityCases = <S extends Entity>(layer: StoreLayer, options: EntityOptions<S>): void => {
  const { arbitrary, find, fresh, place, table, write } = options
  const onEmpty = onEmptyStore(layer)

  withLayer(layer)("with any state", (it) => {
    it.effect.prop("returns what was inserted", [arbitrary], ([state]) =>
      Effect.gen(function* () {
        const company = yield* keptCompany
        const inserted = place(state, yield* fresh(company.id))
        yield* write(inserted)
        yield* expectFound(options, inserted)
      })
    )
  })

  it.effect("is not found before it is kept", () =>
    Effect.gen(function* () {
      const company = yield* keptCompany
      const state = yield* fresh(company.id)
      assert.deepStrictEqual(yield* findEach(options, company.id, state), [])
    }).pipe(onEmpty)
  )

  it.effect("a myId is a conflict within a company, and none across companies", () =>
    Effect.gen(function* () {
      const company = yield* keptCompany
      const other = yield* keptCompany
      const myId = MyId.make("the same")
      const first = yield* fresh(company.id, { myId })
      yield* write(first)
      const second = yield* fresh(company.id, { myId })
      assert.strictEqual(yield* conflictOf(write(second)), `${table}.my_id`)
      const elsewhere = yield* fresh(other.id, { myId })
      yield* write(elsewhere)
      assert.deepStrictEqual(yield* find(company.id, byMyId(myId)), Option.some(first))
      assert.deepStrictEqual(yield* find(other.id, byMyId(myId)), Option.some(elsewhere))
    }).pipe(onEmpty)
  )

  it.effect("myIds differ by case, accents, spaces and width", () =>
    Effect.gen(function* () {
      const company = yield* keptCompany
      const keys = ["a", "A", "á", "a ", " a", "ａ"].map((text) => MyId.make(text))
      yield* Effect.forEach(keys, (myId) => Effect.flatMap(fresh(company.id, { myId }), (state) => write(state)))
      const found = yield* Effect.forEach(keys, (myId) => find(company.id, byMyId(myId)))
      assert.deepStrictEqual(
        found.map((one) => Option.getOrThrow(one).myId),
        keys
      )
    }).pipe(onEmpty)
  )

  it.effect("an identifier of the service is a conflict whatever the company", () =>
    Effect.gen(function* () {
      const company = yield* keptCompany
      const other = yield* keptCompany
      const first = yield* fresh(company.id)
      yield* write(first)
      const second = yield* fresh(other.id, { id: first.id })
      assert.strictEqual(yield* conflictOf(write(second)), `${table}.id`)
    }).pipe(onEmpty)
  )

  it.effect("another company's is not found, by neither identifier", () =>
    Effect.gen(function* () {
      const company = yield* keptCompany
      const other = yield* keptCompany
      const state = yield* fresh(company.id)
      yield* write(state)
      yield* expectFound(options, state)
      assert.deepStrictEqual(yield* findEach(options, other.id, state), [])
    }).pipe(onEmpty)
  )
}

/** The cases of kinds whose states change. */
export const updateCases = <S extends Entity>(layer: StoreLayer, options: EntityOptions<S>): void => {
  const { arbitrary, fresh, place, table, write } = options
  withLayer(layer)("with any change", (it) => {
    it.effect.prop("returns what it was updated to", [arbitrary, arbitrary], ([before, after]) =>
      Effect.gen(function* () {
        const company = yield* keptCompany
        const base = yield* fresh(company.id)
        const bystander = yield* fresh(company.id)
        yield* write(bystander)
        const first = place(before, base)
        yield* write(first)
        const updated = place(after, base)
        yield* write(updated, first)
        yield* expectFound(options, updated)
        yield* expectFound(options, bystander)
      })
    )
  })

  it.effect("an update may not take another's myId", () =>
    Effect.gen(function* () {
      const company = yield* keptCompany
      const first = yield* fresh(company.id)
      const second = yield* fresh(company.id)
      yield* write(first)
      yield* write(second)
      const taken = write({ ...second, myId: first.myId! }, second)
      assert.strictEqual(yield* conflictOf(taken), `${table}.my_id`)
      yield* expectFound(options, second)
    }).pipe(onEmptyStore(layer))
  )
}

const findEach = Effect.fnUntraced(function* <S extends Entity>(
  { find }: Pick<EntityOptions<S>, "find">,
  companyId: CompanyId,
  state: S
) {
  const refs = [bySvcPayId(state.id), ...(state.myId === undefined ? [] : [byMyId(state.myId)])]
  return (yield* Effect.forEach(refs, (ref) => find(companyId, ref))).flatMap(Option.toArray)
})

const expectFound = Effect.fnUntraced(function* <S extends Entity>(options: Pick<EntityOptions<S>, "find">, state: S) {
  const found = yield* findEach(options, state.companyId, state)
  assert.isNotEmpty(found)
  for (const one of found) assert.deepStrictEqual(one, state)
})
