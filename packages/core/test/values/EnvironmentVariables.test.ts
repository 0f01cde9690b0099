import { unknownVariables } from "@parcela/core/values/EnvironmentVariables"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"

describe("an unknown variable", () => {
  it("is reported with the setting that was probably meant", () => {
    assert.deepStrictEqual(unknownVariables(["PARCELA_PROT", "PARCELA_DATABSE", "parcela_port", "PATH"]), [
      "PARCELA_DATABSE is no setting: did you mean PARCELA_DATABASE?",
      "PARCELA_PROT is no setting: did you mean PARCELA_PORT?",
      "parcela_port is no setting: did you mean PARCELA_PORT?"
    ])
  })

  it("is reported alone if no setting is similar", () => {
    assert.deepStrictEqual(unknownVariables(["PARCELA_FRUIT_OF_THE_DAY"]), ["PARCELA_FRUIT_OF_THE_DAY is no setting"])
  })

  it("is not in the READMEs or on the page of settings", () => {
    const root = new URL("../../../..", import.meta.url)
    const programs = ["mock-server", "webhook-receiver", "cli"].map((name) => `apps/${name}/README.md`)
    const named = ["README.md", "docs/reference/settings.md", ...programs].flatMap(
      (file) => readFileSync(new URL(file, `${root.href}/`), "utf8").match(/PARCELA_[A-Z_]+/g) ?? []
    )
    assert.includeMembers(named, ["PARCELA_BASE_URL", "PARCELA_RECEIVER_PORT", "PARCELA_HOST"])
    assert.deepStrictEqual(unknownVariables(new Set(named.filter((name) => !name.endsWith("_")))), [])
  })
})
