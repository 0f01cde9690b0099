import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as Fake from "./Fake.ts"

/** The completions of Bash for the last of these words, with the script in a file. */
const offered = (file: string, words: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync(
    "bash",
    [
      "--norc",
      "-c",
      `source "$1"; shift
       COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
       $(complete -p parcela | sed 's/.*-F \\([^ ]*\\).*/\\1/')
       printf '%s\\n' "\${COMPREPLY[@]}"`,
      "bash",
      file,
      ...words
    ],
    { encoding: "utf8" }
  )
    .split("\n")
    .filter((line) => line !== "")

it.effect("completes commands, flags and their choices in Bash", () =>
  Effect.gen(function* () {
    const { code, out } = yield* Fake.parcela(["--completions", "bash"])
    assert.strictEqual(code, 0)
    const file = yield* Fake.file(out)
    assert.deepStrictEqual(offered(file, ["parcela", "subscr"]), ["subscriptions"])
    assert.includeMembers([...offered(file, ["parcela", "subscriptions", ""])], ["create", "edit-payment", "list"])
    assert.deepStrictEqual(offered(file, ["parcela", "subscriptions", "create", "--peri"]), ["--periodicity"])
    assert.includeMembers([...offered(file, ["parcela", "subscriptions", "create", "--periodicity", ""])], ["monthly"])
    for (const shell of ["zsh", "fish"]) {
      assert.include((yield* Fake.parcela(["--completions", shell])).out, "edit-payment")
    }
  })
)
