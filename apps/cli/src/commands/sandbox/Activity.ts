/**
 * `parcela sandbox requests` and `parcela sandbox events`: what came in, and what became of a company's things.
 *
 * @since 0.1.0
 */
import { Command } from "effect/cli"
import { timeOf } from "../../Control.ts"
import { derivedControl } from "../../DerivedControl.ts"
import { table } from "../../Paint.ts"

const received = derivedControl("requests", "list", ({ next, requests }, paint) =>
  requests.length === 0
    ? "No requests."
    : table(
        paint,
        ["ID", "AT", "METHOD", "PATH", "STATUS", "TOOK", "REQUEST ID", "FAULTS"],
        requests.map((one) => [
          String(one.id),
          timeOf(one.at),
          one.method,
          one.path,
          one.status === undefined ? "none" : String(one.status),
          `${Math.round(one.milliseconds)} ms`,
          one.requestId,
          [...one.faultyFields, ...one.unknownKeys.map((key) => `${key} (unknown)`)].join(", ")
        ]),
        { leftOut: ["REQUEST ID", "AT"], cut: ["FAULTS", "PATH"] }
      ) + `\nTo go on: --after ${next}`
)

export const requests = Command.make("requests", received.input, received.handler).pipe(
  Command.withDescription("List the last requests of the company that the sandbox responded to, oldest first."),
  Command.withShortDescription("What came in"),
  Command.withExamples([
    { command: "parcela sandbox requests --status 400", description: "What was wrong, field by field" },
    { command: "parcela sandbox requests --after 12", description: "What came since" }
  ])
)

const happened = derivedControl("events", "list", ({ events, next }, paint) =>
  events.length === 0
    ? "Nothing has happened."
    : table(
        paint,
        ["COMPANY'S TIME", "WHAT", "EVENTS", "BY", "CHANGED"],
        events.map((one) => [
          timeOf(one.businessAt),
          `${one.subject.kind} ${one.subject.id}`,
          one.events.map(({ _tag }) => String(_tag)).join(", "),
          one.work ?? one.actor ?? "",
          one.changed.join(", ")
        ])
      ) + (next === undefined ? "" : `\nTo go on: --after ${next}`)
)

export const events = Command.make("events", happened.input, happened.handler).pipe(
  Command.withDescription("List what became of the company's things, and why: its journal, oldest first."),
  Command.withShortDescription("What happened, and why"),
  Command.withExamples([
    { command: "parcela sandbox events", description: "From the beginning" },
    { command: "parcela sandbox events --after 0-119", description: "What happened since" }
  ])
)
