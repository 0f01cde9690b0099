/**
 * What holds of every port that keeps entities: what is kept comes back, keys are unique within a company, and
 * nobody sees another company's.
 *
 * @since 0.1.0
 */
import { assert, it, layer as withLayer } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { bySvcPayId, byMyId, type EntityRef, MyId, type SvcPayId } from "@parcela/core/values/Identifier"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { UnitOfWork } from "@parcela/engine/ports/UnitOfWork"
import type * as Arbitrary from "effect/Arbitrary"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { keptCompany, onEmptyStore, type StoreLayer, type StorePorts } from "../StoreFixtures.ts"
import { conflictOf } from "./Failures.ts"

interface Entity {
  readonly id: SvcPayId
  readonly companyId: CompanyId
  readonly myId?: MyId
}

interface EntityPort<S> {
  readonly insert: (state: S) => Effect.Effect<void, StoreError>
  readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<S>, StoreError>
  readonly findForUpdate?: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<S>, StoreError>
}

interface UpdatingPort<S> extends EntityPort<S> {
  readonly update: (state: S) => Effect.Effect<void, StoreError>
}

/** What the cases need to know of a kind of entity. */
export interface EntityOptions<S extends Entity, Port> {
  readonly table: string
  readonly port: Effect.Effect<Port, never, StorePorts>
  readonly arbitrary: Arbitrary.Arbitrary<S>
  /** A new state of a company; what it refers to is kept. */
  readonly fresh: (companyId: CompanyId, changes?: Partial<Entity>) => Effect.Effect<S, unknown, StorePorts>
  /** What an arbitrary state must share with a fresh one to be kept. */
  readonly place: (arbitrary: S, fresh: S) => S
}

/** The cases of every port, as tests of the `describe` that is open. */
export const entityCases = <S extends Entity>(
  layer: StoreLayer,
  { arbitrary, fresh, place, port: service, table }: EntityOptions<S, EntityPort<S>>
): void => {
  const onEmpty = onEmptyStore(layer)

  withLayer(layer)("with any state", (it) => {
    it.effect.prop("answers what was inserted", [arbitrary], ([state]) =>
      inOneUnit(
        Effect.gen(function* () {
          const port = yield* service
          const company = yield* keptCompany
          const inserted = place(state, yield* fresh(company.id))
          yield* port.insert(inserted)
          yield* expectFound(port, inserted)
        })
      )
    )
  })

  it.effect("is not found before it is kept", () =>
    Effect.gen(function* () {
      const port = yield* service
      const company = yield* keptCompany
      const state = yield* fresh(company.id)
      assert.deepStrictEqual(yield* findEach(port, company.id, state), [])
    }).pipe(onEmpty)
  )

  it.effect("a myId is a conflict within a company, and none across companies", () =>
    Effect.gen(function* () {
      const port = yield* service
      const company = yield* keptCompany
      const other = yield* keptCompany
      const myId = MyId.make("the same")
      const first = yield* fresh(company.id, { myId })
      yield* port.insert(first)
      const second = yield* fresh(company.id, { myId })
      assert.strictEqual(yield* conflictOf(port.insert(second)), `${table}.my_id`)
      const elsewhere = yield* fresh(other.id, { myId })
      yield* port.insert(elsewhere)
      assert.deepStrictEqual(yield* port.find(company.id, byMyId(myId)), Option.some(first))
      assert.deepStrictEqual(yield* port.find(other.id, byMyId(myId)), Option.some(elsewhere))
    }).pipe(onEmpty)
  )

  it.effect("myIds differ by case, accents, spaces and width", () =>
    Effect.gen(function* () {
      const port = yield* service
      const company = yield* keptCompany
      const keys = ["a", "A", "á", "a ", " a", "ａ"].map((text) => MyId.make(text))
      yield* Effect.forEach(keys, (myId) => Effect.flatMap(fresh(company.id, { myId }), port.insert))
      const found = yield* Effect.forEach(keys, (myId) => port.find(company.id, byMyId(myId)))
      assert.deepStrictEqual(
        found.map((one) => Option.getOrThrow(one).myId),
        keys
      )
    }).pipe(onEmpty)
  )

  it.effect("an identifier of the service is a conflict whatever the company", () =>
    Effect.gen(function* () {
      const port = yield* service
      const company = yield* keptCompany
      const other = yield* keptCompany
      const first = yield* fresh(company.id)
      yield* port.insert(first)
      const second = yield* fresh(other.id, { id: first.id })
      assert.strictEqual(yield* conflictOf(port.insert(second)), `${table}.id`)
    }).pipe(onEmpty)
  )

  it.effect("another company's is not found, by neither identifier", () =>
    Effect.gen(function* () {
      const port = yield* service
      const company = yield* keptCompany
      const other = yield* keptCompany
      const state = yield* fresh(company.id)
      yield* port.insert(state)
      yield* expectFound(port, state)
      assert.deepStrictEqual(yield* findEach(port, other.id, state), [])
    }).pipe(onEmpty)
  )
}

/** The cases of ports with `update`. */
export const updateCases = <S extends Entity>(
  layer: StoreLayer,
  { arbitrary, fresh, place, port: service, table }: EntityOptions<S, UpdatingPort<S>>
): void => {
  withLayer(layer)("with any change", (it) => {
    it.effect.prop("answers what it was updated to", [arbitrary, arbitrary], ([before, after]) =>
      inOneUnit(
        Effect.gen(function* () {
          const port = yield* service
          const company = yield* keptCompany
          const base = yield* fresh(company.id)
          const bystander = yield* fresh(company.id)
          yield* port.insert(bystander)
          yield* port.insert(place(before, base))
          const updated = place(after, base)
          yield* port.update(updated)
          yield* expectFound(port, updated)
          yield* expectFound(port, bystander)
        })
      )
    )
  })

  it.effect("an update may not take another's myId", () =>
    Effect.gen(function* () {
      const port = yield* service
      const company = yield* keptCompany
      const first = yield* fresh(company.id)
      const second = yield* fresh(company.id)
      yield* port.insert(first)
      yield* port.insert(second)
      const taken = port.update({ ...second, myId: first.myId! })
      assert.strictEqual(yield* conflictOf(taken), `${table}.my_id`)
      yield* expectFound(port, second)
    }).pipe(onEmptyStore(layer))
  )

  it.effect("an update of what the company does not have is a defect, and changes nothing", () =>
    Effect.gen(function* () {
      const port = yield* service
      const company = yield* keptCompany
      const other = yield* keptCompany
      const state = yield* fresh(company.id)
      yield* port.insert(state)
      const disguised = { ...(yield* fresh(other.id)), id: state.id }
      const exit = yield* Effect.exit(port.update(disguised))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      yield* expectFound(port, state)
      assert.deepStrictEqual(yield* findEach(port, other.id, disguised), [])
    }).pipe(onEmptyStore(layer))
  )
}

/** One commit for each generated value, instead of one for each write. */
const inOneUnit = <A, E, R>(effect: Effect.Effect<A, E, R>) => UnitOfWork.use(({ transact }) => transact(effect))

const finders = <S extends Entity>(port: EntityPort<S>) =>
  port.findForUpdate === undefined ? [port.find] : [port.find, port.findForUpdate]

const findEach = Effect.fnUntraced(function* <S extends Entity>(port: EntityPort<S>, companyId: CompanyId, state: S) {
  const refs = [bySvcPayId(state.id), ...(state.myId === undefined ? [] : [byMyId(state.myId)])]
  const found = yield* Effect.forEach(finders(port), (find) => Effect.forEach(refs, (ref) => find(companyId, ref)))
  return found.flat().flatMap(Option.toArray)
})

const expectFound = Effect.fnUntraced(function* <S extends Entity>(port: EntityPort<S>, state: S) {
  const found = yield* findEach(port, state.companyId, state)
  assert.isNotEmpty(found)
  for (const one of found) assert.deepStrictEqual(one, state)
})
