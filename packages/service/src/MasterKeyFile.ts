/**
 * The master key of a service, in a file that only its owner can read. A copy of the database without the key can
 * neither authenticate clients nor sign deliveries.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Companies } from "@parcela/engine/ports/Companies"
import { MasterKey } from "@parcela/engine/authentication/Secrets"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as DatabaseIdentity from "@parcela/store-sql/DatabaseIdentity"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * The key file exists but is unusable.
 *
 * @category errors
 * @since 0.1.0
 */
export class MasterKeyUnreadable extends Schema.TaggedError<MasterKeyUnreadable>()("MasterKeyUnreadable", {
  file: Schema.String,
  problem: Schema.String
}) {
  override get message() {
    return `${this.file} ${this.problem}: put the right one back, or start with a new database`
  }
}

/**
 * The key differs from the database's key. With the wrong key every login would fail and every signature would change.
 *
 * @category errors
 * @since 0.1.0
 */
export class MasterKeyForeign extends Schema.TaggedError<MasterKeyForeign>()("MasterKeyForeign", {
  file: Schema.String
}) {
  override get message() {
    return (
      `${this.file} is the key of another database: put the key of this one back, or the database that belongs to the ` +
      "key, or start with a new database"
    )
  }
}

/**
 * The key file is missing, but the database contains data that needs the key.
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

const unreadable = (file: string, problem: string) => new MasterKeyUnreadable({ file, problem })

const noKey = "does not hold a master key (64 hex digits)"

const decode = (text: string, file: string) =>
  Effect.fromResult(Hex.decode(text.trim())).pipe(
    Effect.filterOrFail(
      (bytes) => bytes.length === keyBytes,
      () => unreadable(file, noKey)
    ),
    Effect.mapError(() => unreadable(file, noKey))
  )

const othersMayRead = (mode: number): boolean => (mode & 0o077) !== 0

/**
 * Restricts a key file that others can read to its owner, and logs a warning because the key may have been read. Unlike
 * `makePrivate` of database files it fails if the file stays readable.
 */
const makePrivate = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const { mode, type } = yield* fs.stat(file)
  if (type === "Directory") return yield* unreadable(file, "is a folder and no key")
  if (!othersMayRead(mode)) return
  yield* Effect.mapError(fs.chmod(file, 0o600), () =>
    unreadable(file, "can be read by others, and this user may not change that (chmod 600)")
  )
  yield* Effect.logWarning(
    `${file} could be read by others (mode ${(mode & 0o777).toString(8)}); now only its owner can. If somebody else ` +
      "uses this machine, make a new database with a new key"
  )
})

const create = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const random = yield* SecureRandom.SecureRandom
  const companies = yield* Companies
  // A new key would silently lock every company out and change every signature.
  const wasUsed =
    Option.isSome(yield* DatabaseIdentity.findMasterKeyTag) || Option.isSome(yield* companies.find(firstCompany))
  if (wasUsed) {
    // Another process may just have created key and data; it writes the key first.
    if (yield* fs.exists(file)) return
    return yield* new MasterKeyMissing({ file })
  }
  const path = yield* Path.Path
  yield* fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${Hex.encode(yield* random.randomBytes(6))}`
  yield* fs.writeFileString(draft, `${Hex.encode(yield* random.randomBytes(keyBytes))}\n`, { mode: 0o600 })
  // A link fails if the file exists: of two concurrent first starts one key wins, and both read it.
  yield* Effect.ignore(fs.link(draft, file))
  yield* fs.remove(draft)
})

const createOrRead = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(file))) yield* create(file)
  yield* makePrivate(file)
  return yield* decode(yield* fs.readFileString(file), file)
})

// `Secrets` derives all other values of the key, and is made with the key that this tag has confirmed.
const tagOf = Effect.fnUntraced(function* (key: Uint8Array) {
  const mac = yield* Mac.Mac
  const hmac = yield* Mac.key(Mac.hmacSha256, key)
  return Hex.encode(yield* mac.sign(hmac, new TextEncoder().encode("master key tag")))
}, Effect.orDie)

/** Returns the key of the file. It must be the key of the database. */
const keyOf = Effect.fnUntraced(function* (file: string) {
  const key = yield* createOrRead(file)
  const tag = yield* tagOf(key)
  if ((yield* DatabaseIdentity.recordMasterKeyTag(tag)) !== tag) return yield* new MasterKeyForeign({ file })
  return key
})

/**
 * The layer of a file's key. A missing file is created with its folder; without a file the key is temporary. The
 * database must be open, because it identifies its key.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  file: string | undefined
): Layer.Layer<
  MasterKey,
  MasterKeyForeign | MasterKeyMissing | MasterKeyUnreadable | PlatformError | StoreError,
  Companies | FileSystem.FileSystem | Mac.Mac | Path.Path | SecureRandom.SecureRandom | SqlClient
> =>
  Layer.effect(
    MasterKey,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const bytes = file === undefined ? yield* random.randomBytes(keyBytes) : yield* keyOf(file)
      return Redacted.make(bytes, { label: "master key" })
    })
  )
