/**
 * The master key of a sandbox, in a file beside its database that only its owner can read. Who copies the database
 * without it can authenticate nobody and sign nothing.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/CompanyState"
import { Companies } from "@parcela/engine/Companies"
import { MasterKey } from "@parcela/engine/Secrets"
import type { StoreError } from "@parcela/engine/StoreError"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/**
 * The key file is there and is not a key.
 *
 * @category errors
 * @since 0.1.0
 */
export class MasterKeyUnreadable extends Schema.TaggedError<MasterKeyUnreadable>()("MasterKeyUnreadable", {
  file: Schema.String
}) {
  override get message() {
    return `${this.file} does not hold a master key (64 hex digits): put the right one back, or start with a new database`
  }
}

/**
 * The key file is gone, and the database holds what was made with it.
 *
 * @category errors
 * @since 0.1.0
 */
export class MasterKeyMissing extends Schema.TaggedError<MasterKeyMissing>()("MasterKeyMissing", {
  file: Schema.String
}) {
  override get message() {
    return `${this.file} is gone, and the credentials in the database need it: put it back, or start with a new database`
  }
}

const keyBytes = 32

/** Companies are numbered from 1 and never removed. */
const firstCompany = CompanyId.make(1)

const decode = (text: string, file: string) =>
  Effect.fromResult(Hex.decode(text.trim())).pipe(
    Effect.filterOrFail(
      (bytes) => bytes.length === keyBytes,
      () => new MasterKeyUnreadable({ file })
    ),
    Effect.mapError(() => new MasterKeyUnreadable({ file }))
  )

const createOrRead = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const random = yield* SecureRandom.SecureRandom
  if (!(yield* fs.exists(file))) {
    const companies = yield* Companies
    // A new key would shut every company out and change every signature, without a word.
    if (Option.isSome(yield* companies.find(firstCompany))) return yield* new MasterKeyMissing({ file })
    const draft = `${file}.${Hex.encode(yield* random.randomBytes(6))}`
    yield* fs.writeFileString(draft, `${Hex.encode(yield* random.randomBytes(keyBytes))}\n`, { mode: 0o600 })
    // A link fails where the file exists: of two first starts at once, one key wins and both read it.
    yield* Effect.ignore(fs.link(draft, file))
    yield* fs.remove(draft)
  }
  return yield* decode(yield* fs.readFileString(file), file)
})

/**
 * The key beside a database file, made when it is missing; a passing one for `:memory:`. The folder must be there:
 * open the database first.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  database: string
): Layer.Layer<
  MasterKey,
  MasterKeyMissing | MasterKeyUnreadable | PlatformError | StoreError,
  Companies | FileSystem.FileSystem | SecureRandom.SecureRandom
> =>
  Layer.effect(
    MasterKey,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const bytes =
        database === ":memory:" ? yield* random.randomBytes(keyBytes) : yield* createOrRead(`${database}.key`)
      return Redacted.make(bytes, { label: "master key" })
    })
  )
