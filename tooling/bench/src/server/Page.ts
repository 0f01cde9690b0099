/** `docs/benchmark.md`: one run as a page. It is written by `npm run bench -- --page`, never by hand. */
import { linesOf, type Run } from "./About.ts"
import { coldLinesOf } from "./Cold.ts"
import { tableOf } from "./Report.ts"
import { verdictOf } from "./Targets.ts"

/** With less than this of its cores at work before the run, a machine counts as quiet. */
const quiet = 0.25

const caution = ({ cores, load }: Run): ReadonlyArray<string> =>
  load < quiet * cores
    ? []
    : [
        "",
        "**The machine was busy with other work.** Rates and latencies say little; the ratios to the floor say something, and `(min..max)` says",
        "how much."
      ]

export const pageOf = (run: Run): string =>
  [
    "# One run of the bench",
    "",
    "Written by `npm run bench -- --page --peer`; numbers are not edited by hand. [tooling/bench/README.md](../tooling/bench/README.md) says what is",
    "compared, how, and what the columns mean. [Statements and commits](reference/statements.md) of each operation are counted by a test.",
    "",
    ...linesOf(run).map((line) => `- ${line}`),
    ...caution(run),
    "",
    "## Against the targets",
    "",
    "`x floor` is the server's CPU for a request beside that of bare `node:http`, which checks the bearer, parses the same body and writes the",
    "same bytes; `x small` beside one that parses 35 bytes of JSON and writes 2. What is judged is the median of the rounds, of p99 / p50 of",
    "each round's own. Targets of deliveries, the receiver, the year and the start have benches of their own.",
    "",
    ...verdictOf(run.rows),
    "",
    "## Just started",
    "",
    "What V8 compiles costs as well as what is asked: a server that was started for nothing else, beside the same one when it is warm.",
    "",
    ...coldLinesOf(run.cold, run.rows),
    "",
    "## All that was measured",
    "",
    "```text",
    tableOf(run.rows),
    "```",
    "",
    "`warm-up` is how many requests of the operation came before, a `+` says that its costs had not settled at the bound; `requests` are those",
    "measured, of which one in a hundred took longer than `p99`. Latencies are milliseconds. `new` are connections that were opened within the measurement. `load us` is what the load itself took of the",
    "machine for each request. The peer, an emulator of Stripe that keeps all in memory, makes and reads a customer.",
    ""
  ].join("\n")
