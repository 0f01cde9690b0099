/** The responses of a floor, from the file that is the program's argument. */
import { readFileSync } from "node:fs"

export interface Floor {
  /** The accepted `authorization` headers. */
  readonly authorizations: ReadonlyArray<string>
  /** By method and path. */
  readonly responses: Readonly<Record<string, string>>
}

export const floor = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Floor
