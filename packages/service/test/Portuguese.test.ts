/**
 * Compares the Portuguese tables of core with the sources of all packages with responses. The test is here because this
 * package depends on them.
 */
import { assert, describe, it } from "@effect/vitest"
import { validationErrors } from "@parcela/core/language/portuguese/ValidationErrors"
import { refusals } from "@parcela/core/language/portuguese/Refusals"
import { responses } from "@parcela/core/language/portuguese/Responses"
import { denials, statuses } from "@parcela/core/language/portuguese/Statuses"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const packages = join(import.meta.dirname, "../..")

/** The sources of the packages with responses. Texts of several lines are joined. */
const source = globSync("{core,engine,http,node-server,service,transport}/src/**/*.ts", { cwd: packages })
  .filter((file) => !file.includes("portuguese"))
  .map((file) => readFileSync(join(packages, file), "utf8"))
  .join("\n")
  .replaceAll(/["'`]\s*\+\s*["'`]/gu, "")
  .replaceAll(/\\(["\\])/gu, "$1")

/** Texts between two placeholders, as the sources contain them. */
const composed: ReadonlyArray<readonly [english: string, asWritten: string]> = [
  ["has more than {} items", "has more than ${maxMembers} ${kind}"],
  [
    "a transaction that is {} cannot be cancelled: release the amount with /reverse, or capture it with /capture",
    ": release the amount with /reverse, or capture it with /capture"
  ],
  [
    "a transaction that is {} cannot be cancelled: return the amount with /reverse",
    ": return the amount with /reverse"
  ],
  ["is not a field here: did you mean {}?", ": did you mean ${"],
  ["the boleto bank denied the request: {~} ({})", "denied the request: ${"],
  ["the card operator denied the request: {~} ({})", "denied the request: ${"],
  ["the Pix provider denied the request: {~} ({})", "denied the request: ${"]
]

const portuguese = { ...statuses, ...denials, ...refusals, ...validationErrors, ...responses }

describe("Portuguese", () => {
  it("translates only texts that the source contains", () => {
    const written = new Map(composed)
    const isThere = (english: string) =>
      written.has(english)
        ? source.includes(written.get(english) ?? "")
        : english.split(/\{[>~]?\}/u).every((part) => source.includes(part.trim()))
    assert.deepStrictEqual(
      Object.keys(portuguese).filter((english) => !isThere(english)),
      []
    )
    assert.deepStrictEqual(
      composed.filter(([english]) => !Object.hasOwn(portuguese, english)),
      []
    )
  })
})
