/**
 * The house's own lint rules, for what oxlint has no rule for.
 *
 * - `parcela/no-ambient`: time, randomness and settings come from services, never from globals.
 * - `parcela/no-skipped-test`: a test that does not run is removed, or selected by `skipIf` / `runIf` with a reason.
 * - `parcela/plain-words`: comments and declared names use the field's words (`words.ts`).
 * - `parcela/reason`: a cast, a non-null assertion or a rule that is switched off says why it holds.
 * - `parcela/unicode-pattern`: a pattern of a schema has the flag `u`, without which OpenAPI does not show it.
 */
import { fragment, identifierWords, limitPrefix, phrases } from "./words.ts"

interface Node {
  readonly type: string
  readonly name?: string
  readonly object?: Node
  readonly property?: Node
  readonly callee?: Node
  readonly computed?: boolean
  readonly arguments?: ReadonlyArray<Node>
  readonly regex?: { readonly flags: string }
  readonly value?: unknown
  readonly properties?: ReadonlyArray<Node & { readonly key?: Node }>
  readonly id?: Node | null
  readonly init?: Node | null
  readonly body?: Node
  readonly typeAnnotation?: Node
  readonly typeName?: Node
  readonly loc: Span
}

/** Lines count from 1. */
interface Span {
  readonly start: { readonly line: number }
  readonly end: { readonly line: number }
}

interface Comment {
  readonly type: string
  readonly value: string
  readonly loc: Span
}

interface Context {
  readonly sourceCode: { readonly getAllComments: () => ReadonlyArray<Comment> }
  readonly report: (problem: { readonly node: Node; readonly message: string }) => void
}

const ambientMembers: Readonly<Record<string, string>> = {
  "Date.now": "Read the time from Effect's Clock, or take it as an argument.",
  "Math.random": "Take random numbers from Effect's Random.",
  "performance.now": "Read the time from Effect's Clock.",
  "process.env": "Read settings once, in a layer, with Config.",
  "process.hrtime": "Read the time from Effect's Clock.",
  "process.exit": "Return an error; only a program's main decides to exit.",
  "crypto.randomUUID": "Take identifiers from a service.",
  "crypto.getRandomValues": "Take random numbers from Effect's Random."
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

const isRegExpCall = (node: Node): boolean =>
  (node.type === "NewExpression" || node.type === "CallExpression") && dotted(node.callee) === "RegExp"

/** The regular expressions that an expression certainly evaluates to: itself, a constant, or what a helper returns. */
const patternsOf = (node: Node | undefined, constants: ReadonlyMap<string, Node>): ReadonlyArray<Node> => {
  if (node === undefined) return []
  if (node.regex !== undefined || isRegExpCall(node)) return [node]
  const helper = node.type === "CallExpression" ? constants.get(node.callee?.name ?? "")?.body : undefined
  return patternsOf(helper ?? (node.type === "Identifier" ? constants.get(node.name ?? "") : undefined), new Map())
}

const isUnicode = (pattern: Node): boolean =>
  /[uv]/.test(pattern.regex === undefined ? String(pattern.arguments?.[1]?.value ?? "") : pattern.regex.flags)

/** The argument of a call that is the pattern of a schema: `isPattern(/../)`, or `derivedText({ pattern: /../ })`. */
const patternArgument = (call: Node): Node | undefined => {
  const name = dotted(call.callee).split(".").at(-1)
  const [first] = call.arguments ?? []
  if (name === "isPattern") return first
  if (name !== "derivedText") return undefined
  const property = first?.properties?.find(({ key }) => key?.name === "pattern")
  // Of a property it is a node; of a literal, which this is not, what was written.
  return property?.value as Node | undefined
}

const unicodePattern = {
  create: (context: Context) => {
    const constants = new Map<string, Node>()
    const used: Array<Node> = []
    return {
      VariableDeclarator: (node: Node) => {
        if (node.id?.name !== undefined && node.init) constants.set(node.id.name, node.init)
      },
      CallExpression: (node: Node) => {
        const pattern = patternArgument(node)
        if (pattern !== undefined) used.push(pattern)
      },
      // A constant may stand below its use.
      "Program:exit": () => {
        for (const node of new Set(used.flatMap((pattern) => patternsOf(pattern, constants)))) {
          if (isUnicode(node)) continue
          context.report({ node, message: "Give the pattern the flag u: without it OpenAPI shows no pattern." })
        }
      }
    }
  }
}

/** The lines that a comment `// ..` speaks for: its own, and the one below it. */
const commentedLines = (comments: ReadonlyArray<Comment>): ReadonlySet<number> =>
  new Set(comments.flatMap(({ loc, type }) => (type === "Line" ? [loc.start.line, loc.end.line + 1] : [])))

const reason = {
  create: (context: Context) => {
    const comments = context.sourceCode.getAllComments()
    const reasoned = commentedLines(comments)
    const reported = new Set<number>()
    const check = (node: Node, what: string) => {
      const { end, start } = node.loc
      if (reasoned.has(start.line) || reasoned.has(end.line) || reported.has(start.line)) return
      reported.add(start.line)
      context.report({ node, message: what })
    }
    const cast = (node: Node) => {
      if (node.typeAnnotation?.typeName?.name === "const") return
      check(node, "Decode, narrow or use satisfies; or write in a comment // directly above why it holds.")
    }
    return {
      TSAsExpression: cast,
      TSTypeAssertion: cast,
      TSNonNullExpression: (node: Node) =>
        check(node, "Ask whether it is there; or write in a comment // directly above why it is there."),
      "Program:exit": (program: Node) => {
        for (const { loc, value } of comments) {
          if (!/^\s*(?:oxlint|eslint)-disable/.test(value) || / -- \S/.test(value)) continue
          context.report({
            node: { ...program, loc },
            message: `Say why, after " -- ": line ${loc.start.line} switches a rule off.`
          })
        }
      }
    }
  }
}

/** The text of a comment without asterisks, tags and code. */
const proseOf = ({ value }: Comment): string =>
  value
    .replaceAll(/^\s*\* ?/gm, "")
    .replaceAll(/`[^`]*`|\{@link [^}]*\}/g, "")
    // A split has at least one part.
    .split(/^@/m, 1)[0]!
    .trim()

const wordsOf = (name: string): ReadonlyArray<string> =>
  name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_/).map((word) => word.toLowerCase())

const plainWords = {
  create: (context: Context) => {
    const checkName = (node: Node | null | undefined) => {
      const name = node?.name
      if (!node || name === undefined) return
      const word = wordsOf(name).find((part) => identifierWords.has(part))
      if (word !== undefined) {
        context.report({ node, message: `${name}: instead of "${word}" write ${identifierWords.get(word)}.` })
      }
      if (limitPrefix.test(name)) context.report({ node, message: `${name}: a limit is named max...` })
    }
    const declaration = (node: Node) => checkName(node.id)
    return {
      FunctionDeclaration: declaration,
      VariableDeclarator: declaration,
      ClassDeclaration: declaration,
      TSTypeAliasDeclaration: declaration,
      TSInterfaceDeclaration: declaration,
      "Program:exit": (program: Node) => {
        for (const comment of context.sourceCode.getAllComments()) {
          const prose = proseOf(comment)
          const at = { ...program, loc: comment.loc }
          for (const [phrase, instead] of phrases) {
            const found = phrase.exec(prose.toLowerCase())
            if (found === null) continue
            context.report({
              node: at,
              message: `Line ${comment.loc.start.line}: instead of "${found[0]}" write ${instead}.`
            })
          }
          if (comment.type === "Block" && comment.value.startsWith("*") && fragment.test(prose)) {
            context.report({
              node: at,
              message: `Line ${comment.loc.start.line}: start with what it is or returns, not with "${prose.split(" ", 1)[0]}".`
            })
          }
        }
      }
    }
  }
}

export default {
  meta: { name: "parcela" },
  rules: {
    "no-ambient": noAmbient,
    "no-skipped-test": noSkippedTest,
    "plain-words": plainWords,
    reason,
    "unicode-pattern": unicodePattern
  }
}
