/** Holds source files and packages to a size at which a reader finds his way. */

/** A source file and how many lines it has. */
export interface Sized {
  /** From the root, with forward slashes. */
  readonly file: string
  readonly lines: number
}

/** One thing that is too large, or an entry of `longFiles` that is not needed. */
export interface SizeViolation {
  readonly where: string
  readonly what: string
  readonly remedy: string
}

/** Files that may have more than `mostLines`, and why. */
const longFiles: Readonly<Record<string, string>> = {
  "packages/transport/src/client/ParcelaModels.ts": "It is generated, one documented type after the other.",
  "packages/store-sql/src/migrations/0001_schema.ts": "The tables, one after the other."
}

const mostLines = 400
const largestShare = 0.3

/** The one package that may be larger than the others: it decides. */
const largest = "core"

export const sizeViolations = (
  files: ReadonlyArray<Sized>,
  long: Readonly<Record<string, string>> = longFiles
): ReadonlyArray<SizeViolation> => [...tooLong(files, long), ...unneeded(files, long), ...shares(files)]

const tooLong = (files: ReadonlyArray<Sized>, long: Readonly<Record<string, string>>): ReadonlyArray<SizeViolation> =>
  files
    .filter(({ file, lines }) => lines > mostLines && !Object.hasOwn(long, file))
    .map(({ file, lines }) => ({
      where: file,
      what: `${lines} lines, and a file has at most ${mostLines}`,
      remedy:
        "Split it by what its parts are for; where that makes it worse, say why in longFiles of tooling/boundaries/src/Sizes.ts."
    }))

const unneeded = (
  files: ReadonlyArray<Sized>,
  long: Readonly<Record<string, string>>
): ReadonlyArray<SizeViolation> => {
  const lengths = new Map(files.map(({ file, lines }) => [file, lines]))
  return Object.keys(long)
    .filter((file) => (lengths.get(file) ?? 0) <= mostLines)
    .map((file) => ({
      where: "tooling/boundaries/src/Sizes.ts",
      what: `longFiles has ${file}, which is not there or not longer than ${mostLines} lines`,
      remedy: "Take it off the list."
    }))
}

const shares = (files: ReadonlyArray<Sized>): ReadonlyArray<SizeViolation> => {
  const packages = new Map<string, number>()
  for (const { file, lines } of files) {
    const [kind, name = ""] = file.split("/")
    if (kind === "packages") packages.set(name, (packages.get(name) ?? 0) + lines)
  }
  const all = [...packages.values()].reduce((sum, lines) => sum + lines, 0)
  return [...packages]
    .filter(([name, lines]) => name !== largest && lines > all * largestShare)
    .map(([name, lines]) => ({
      where: `packages/${name}/src`,
      what: `${Math.round((lines / all) * 100)} % of all packages' lines, and a package has at most ${largestShare * 100} %`,
      remedy: "Move what another package could own there, or give a part of it a package of its own."
    }))
}
