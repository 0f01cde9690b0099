/**
 * The house's own lint rules, for what oxlint has no rule for.
 *
 * - `parcela/no-ambient`: time, chance and settings come from services, never from the air.
 * - `parcela/no-skipped-test`: a test that does not run is removed, or selected by `skipIf` / `runIf` with a reason.
 */

interface Node {
  readonly type: string
  readonly name?: string
  readonly object?: Node
  readonly property?: Node
  readonly callee?: Node
  readonly computed?: boolean
  readonly arguments?: ReadonlyArray<Node>
}

interface Context {
  readonly report: (problem: { readonly node: Node; readonly message: string }) => void
}

const ambientMembers: Readonly<Record<string, string>> = {
  "Date.now": "Read the time from Effect's Clock, or take it as an argument.",
  "Math.random": "Take chance from Effect's Random.",
  "performance.now": "Read the time from Effect's Clock.",
  "process.env": "Read settings once, in a layer, with Config.",
  "process.hrtime": "Read the time from Effect's Clock.",
  "process.exit": "Return an error; only a program's main decides to exit.",
  "crypto.randomUUID": "Take identifiers from a service.",
  "crypto.getRandomValues": "Take chance from Effect's Random."
}

const ambientCalls: Readonly<Record<string, string>> = {
  Date: "Read the time from Effect's Clock, or take it as an argument.",
  setTimeout: "Wait with Effect.sleep or a Schedule, so that the sandbox can move its clock.",
  setInterval: "Repeat with a Schedule, so that the sandbox can move its clock."
}

const dotted = (node: Node | undefined): string => {
  if (node?.type === "Identifier") return node.name === "globalThis" ? "" : (node.name ?? "")
  if (node?.type !== "MemberExpression" || node.computed) return "?"
  return [dotted(node.object), node.property?.name].filter((part) => part !== "").join(".")
}

const noAmbient = {
  create: (context: Context) => ({
    MemberExpression: (node: Node) => {
      const name = dotted(node)
      if (Object.hasOwn(ambientMembers, name)) context.report({ node, message: `${name}: ${ambientMembers[name]}` })
    },
    CallExpression: (node: Node) => {
      const name = dotted(node.callee)
      if (Object.hasOwn(ambientCalls, name)) context.report({ node, message: `${name}(): ${ambientCalls[name]}` })
    },
    NewExpression: (node: Node) => {
      if (dotted(node.callee) === "Date" && node.arguments?.length === 0) {
        context.report({ node, message: `new Date(): ${ambientCalls["Date"]}` })
      }
    }
  })
}

const noSkippedTest = {
  create: (context: Context) => ({
    MemberExpression: (node: Node) => {
      const [first = "", ...rest] = dotted(node).split(".")
      const last = rest.at(-1) ?? ""
      if (["it", "test", "describe", "suite"].includes(first) && ["only", "skip", "todo", "fails"].includes(last)) {
        context.report({
          node,
          message: `${first}.${rest.join(".")}: every test runs. Finish or remove it; for a missing server use skipIf or runIf.`
        })
      }
    }
  })
}

export default {
  meta: { name: "parcela" },
  rules: { "no-ambient": noAmbient, "no-skipped-test": noSkippedTest }
}
