/**
 * Loads the chunks of a bundled program with the bytecode that V8 made of them in an earlier run.
 *
 * Node's compile cache keeps a module as it is before it runs. Functions are compiled when they are first called, so nearly all
 * that a start calls would be compiled again at each. Here a chunk is kept once it has run for a while, with what it called.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { createRequire, getCompileCacheDir } from "node:module"
import { basename, dirname, join } from "node:path"
import { cachedDataVersionTag, setFlagsFromString } from "node:v8"
import { constants, Script } from "node:vm"
import { crc32 } from "node:zlib"

/** What a CommonJS module is called with. */
type Body = (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: object },
  filename: string,
  dirname: string
) => void

/**
 * What a chunk exports. It requires the chunks beside it, which are loaded in the same way, and modules of Node.
 *
 * Where Node keeps nothing, nothing is kept; with `--enable-source-maps` Node itself loads it, as it reads the maps of no other.
 */
export const load = (file: string): object => {
  const cache = getCompileCacheDir()
  const require = createRequire(file)
  // Types say nothing about a file that is named at run time.
  if (cache === undefined || process.sourceMapsEnabled) return require(file) as object
  const loaded = new Map<string, { exports: object }>()
  const chunk = (file: string): object => {
    const known = loaded.get(file)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    loaded.set(file, module)
    const requireFrom = (id: string): unknown => (id.startsWith("./") ? chunk(join(dirname(file), id)) : require(id))
    try {
      bodyOf(file, cache)(module.exports, requireFrom, module, file, dirname(file))
    } catch (error) {
      loaded.delete(file)
      throw error
    }
    return module.exports
  }
  return chunk(file)
}

/**
 * A chunk as a function. Bytecode is found by what the source is: V8 itself compares no more than its length. That of another version
 * stays in the folder, as what Node keeps there does.
 */
const bodyOf = (file: string, cache: string): Body => {
  const source = readFileSync(file)
  const kept = join(cache, `${basename(file)}-${crc32(source).toString(16)}`)
  const cachedData = bytecodeIn(kept)
  const script = withFlagsOfAStart(
    () =>
      new Script(`(function (exports, require, module, __filename, __dirname) { ${source.toString()}\n})`, {
        filename: file,
        ...(cachedData === undefined ? {} : { cachedData }),
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
      })
  )
  if (cachedData === undefined || script.cachedDataRejected === true) keepLater(script, kept)
  // That is what the source is.
  return script.runInThisContext() as Body
}

/** V8 would not notice that a file is damaged, and crash. */
const bytecodeIn = (kept: string): Buffer | undefined => {
  try {
    const bytes = readFileSync(kept)
    const data = bytes.subarray(0, -4)
    return crc32(data) === bytes.readUInt32LE(data.length) ? data : undefined
  } catch {
    return undefined
  }
}

/**
 * Milliseconds after which a start, and its first requests, have called what they call. Not the end of the run: V8 drops the
 * bytecode of functions that were not called for some minutes, which are those of the start.
 */
const settled = 5_000

/** Of V8 and its flags, as they are when a program starts. */
const atStart = cachedDataVersionTag()

/** V8 takes bytecode of the same flags alone, and a program may have changed one since it started (apps/mock-server/src/Allocation.ts). */
const withFlagsOfAStart = <A>(run: () => A): A => {
  if (cachedDataVersionTag() === atStart) return run()
  setFlagsFromString("--allocation-site-pretenuring")
  try {
    return run()
  } finally {
    setFlagsFromString("--no-allocation-site-pretenuring")
  }
}

const keepLater = (script: Script, kept: string): void => {
  const keep = () => {
    clearTimeout(timer)
    process.off("exit", keep)
    write(
      withFlagsOfAStart(() => script.createCachedData()),
      kept
    )
  }
  const timer = setTimeout(keep, settled).unref()
  process.once("exit", keep)
}

const write = (data: Buffer, kept: string): void => {
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(crc32(data))
  // Another process may read it meanwhile.
  const partial = `${kept}.${process.pid}`
  try {
    writeFileSync(partial, Buffer.concat([data, checksum]), { mode: 0o600 })
    renameSync(partial, kept)
  } catch {
    // The next start takes longer.
  }
}
