/** Checks the sizes of source files and packages. */

/** A source file with its number of lines. */
export interface Sized {
  /** From the root, with forward slashes. */
  readonly file: string
  readonly lines: number
}

/** A file or package that is too large, or an unnecessary entry of `longFiles`. */
export interface SizeViolation {
  readonly where: string
  readonly what: string
  readonly remedy: string
}

/** Files that may have more than `maxLines`, with the reason. */
const longFiles: Readonly<Record<string, string>> = {
  "packages/transport/src/client/ParcelaModels.ts": "It is generated.",
  "packages/store-sql/src/migrations/0001_schema.ts": "It has the tables, one after the other."
}

const maxLines = 400
const maxShare = 0.3

/** The package that may be larger than the others, because it contains all decisions. */
const largest = "core"

export const sizeViolations = (
  files: ReadonlyArray<Sized>,
  long: Readonly<Record<string, string>> = longFiles
): ReadonlyArray<SizeViolation> => [...tooLong(files, long), ...unneeded(files, long), ...shares(files)]

const tooLong = (files: ReadonlyArray<Sized>, long: Readonly<Record<string, string>>): ReadonlyArray<SizeViolation> =>
  files
    .filter(({ file, lines }) => lines > maxLines && !Object.hasOwn(long, file))
    .map(({ file, lines }) => ({
      where: file,
      what: `${lines} lines, and a file has at most ${maxLines}`,
      remedy: "Split it by subject, or list it with a reason in longFiles of tooling/boundaries/src/Sizes.ts."
    }))

const unneeded = (
  files: ReadonlyArray<Sized>,
  long: Readonly<Record<string, string>>
): ReadonlyArray<SizeViolation> => {
  const lengths = new Map(files.map(({ file, lines }) => [file, lines]))
  return Object.keys(long)
    .filter((file) => (lengths.get(file) ?? 0) <= maxLines)
    .map((file) => ({
      where: "tooling/boundaries/src/Sizes.ts",
      what: `longFiles has ${file}, which does not exist or is not longer than ${maxLines} lines`,
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
    .filter(([name, lines]) => name !== largest && lines > all * maxShare)
    .map(([name, lines]) => ({
      where: `packages/${name}/src`,
      what: `${Math.round((lines / all) * 100)} % of all packages' lines, and a package has at most ${maxShare * 100} %`,
      remedy: "Move code to another package or to a new one."
    }))
}
