/**
 * A sandbox on a free port for tests over HTTP, requests to it, and a receiver of its deliveries. The clock of the
 * sandbox is the clock of the test.
 */
import { assert } from "@effect/vitest"
import { ErrorNode } from "@parcela/core/errors/ErrorDetails"
import * as InjectedFailures from "@parcela/provider-simulator/InjectedFailures"
import * as Sandbox from "@parcela/sandbox/Sandbox"
import type { SandboxOptions } from "@parcela/sandbox/SandboxOptions"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import * as Entities from "@parcela/store-sql/tables/Entities"
import { Effect, Layer, Queue, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Agent, createServer, type IncomingHttpHeaders, request as nodeRequest } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { start } from "./Samples.ts"

// Every state that a test reads is checked by its schema.
Entities.checkRows()

/**
 * A sandbox in memory unless a database is named, at `start` unless another time is. `FaultPlan` plans failures of its
 * providers. Its end does not wait for open connections.
 */
export const server = (options: Partial<SandboxOptions> = {}, at = start) =>
  Sandbox.layer({ port: 0, database: ":memory:", lingering: 0, ...options }).pipe(
    Layer.provideMerge(InjectedFailures.layerPlan),
    Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(at)))
  )

/** Runs a test on a server of its own. */
export const onServer =
  (options: Partial<SandboxOptions> = {}, at = start) =>
  <A, E, R>(test: Effect.Effect<A, E, R>) =>
    Effect.provide(test, server(options, at), { local: true })

const nextTick = Effect.promise(() => new Promise<void>((resolve) => void setImmediate(resolve)))

const second = Effect.andThen(TestClock.adjust("1 second"), nextTick)

/** Runs an effect while the clock advances, by a second in each event-loop tick. */
export const whileTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(effect, Effect.forever(second))

/** Advances the clock, by a second in each event-loop tick, until the condition is true. */
export const advanceUntil = Effect.fnUntraced(function* <E, R>(condition: Effect.Effect<boolean, E, R>) {
  while (!(yield* condition)) yield* second
})

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON. */
  readonly json: any
}

export interface Sent {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text is sent unchanged, any other value as JSON. */
  readonly body?: unknown
}

/** Connections stay open between requests; a server that stops closes them. */
const agent = new Agent({ keepAlive: true })

/**
 * Sends a request to any server. It is a promise, as the servers of child processes are no layers, and uses `node:http`,
 * which takes half of the time of `fetch`.
 */
export const request = (
  method: string,
  address: string,
  { body, headers, token }: Sent = {},
  signal?: AbortSignal
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body)
    const sent = nodeRequest(
      new URL(address),
      {
        method,
        agent,
        ...(signal === undefined ? {} : { signal }),
        headers: {
          ...(text === undefined ? {} : { "content-type": "application/json" }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers
        }
      },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", reject)
        response.on("end", () => {
          const received = Buffer.concat(chunks).toString()
          resolve({
            status: response.statusCode!,
            headers: new Headers(response.headers as Record<string, string>),
            text: received,
            get json(): unknown {
              return JSON.parse(received)
            }
          })
        })
      }
    )
    sent.on("error", reject)
    sent.end(text)
  })

const isErrorNode = Schema.is(ErrorNode)

const internals =
  /\bat [\w.<>]+ \(|node:internal|node_modules|\.[jt]s:\d|file:\/\/|\/src\/|\/home\/|\/work\/|\/tmp\/|SELECT |INSERT |UPDATE |SQLITE|constraint|\[object |undefined|StoreError|_tag/

/** Asserts that a failing response is an error node and shows no internals. */
export const assertErrorNode = (text: string, type: string | null): void => {
  assert.match(type ?? "", /^application\/json/)
  const body: unknown = JSON.parse(text)
  assert.isTrue(isErrorNode(body), `an error node: ${text.slice(0, 300)}`)
  assert.deepStrictEqual(Object.keys(body as object), ["error"])
  assert.notMatch(text, internals)
}

/**
 * Sends a request to the server of the test. The path is sent unchanged. A failing response must be an error node, except
 * on the pages of payers, which are HTML.
 */
export const call = Effect.fnUntraced(function* (method: string, path: string, sent: Sent = {}) {
  const url = yield* SandboxServer.url
  const answer = yield* Effect.promise((signal) => request(method, url + path, sent, signal))
  const isErrorExpected = answer.status >= 400 && method !== "HEAD" && !path.startsWith("/documents/")
  if (isErrorExpected) assertErrorNode(answer.text, answer.headers.get("content-type"))
  return answer
})

export const basic = (clientId: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`
})

/** Returns an access token of the server at a URL. */
export const tokenAt = async (url: string, clientId: string, secret: string, scope?: string): Promise<string> => {
  const answer = await request("POST", `${url}/v2/token`, {
    headers: basic(clientId, secret),
    body: { grant_type: "client_credentials", ...(scope === undefined ? {} : { scope }) }
  })
  return answer.status === 200 ? answer.json.access_token : Promise.reject(new Error(answer.text))
}

/** Returns an access token of a company. */
export const tokenOf = (
  { clientId, clientSecret }: Pick<SandboxServer.Company, "clientId" | "clientSecret">,
  scope?: string
) =>
  Effect.flatMap(SandboxServer.url, (url) =>
    Effect.promise(() => tokenAt(url, clientId, Redacted.value(clientSecret), scope))
  )

/** An access token of the default company. */
export const token = Effect.flatMap(Sandbox.Sandbox, (sandbox) => tokenOf(sandbox))

/** A new company with an access token, and requests in its name. */
export const signIn = Effect.fnUntraced(function* (options?: SandboxServer.CompanyOptions) {
  const company = yield* SandboxServer.companyOf(options)
  const token = yield* tokenOf(company)
  return {
    company,
    token,
    call: (method: string, path: string, sent: Sent = {}) => call(method, path, { token, ...sent })
  }
})

/** Sends bytes unchanged. Returns what arrives until the server closes the connection or has sent a whole response. */
export const raw = Effect.fnUntraced(function* (bytes: string | Uint8Array) {
  const { hostname, port } = new URL(yield* SandboxServer.url)
  return yield* Effect.callback<string>((resume) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let received = ""
    const end = () => {
      socket.destroy()
      resume(Effect.succeed(received))
    }
    socket.setEncoding("latin1")
    socket.on("data", (chunk: string) => {
      received += chunk
      const head = received.indexOf("\r\n\r\n")
      const length = /content-length: (\d+)/i.exec(received)?.[1]
      if (head >= 0 && length !== undefined && received.length >= head + 4 + Number(length)) end()
    })
    socket.on("close", end)
    socket.on("error", end)
    return Effect.sync(() => socket.destroy())
  })
})

/** Status and body of a raw response. */
export const readRaw = (answer: string): { readonly status: number; readonly body: string } => ({
  status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]),
  body: answer.slice(answer.indexOf("\r\n\r\n") + 4)
})

export interface Delivered {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver of deliveries on a free port. It responds with the next status of `answers`, or with 200. */
export const receiver = Effect.acquireRelease(
  Effect.gen(function* () {
    const received = yield* Queue.unbounded<Delivered>()
    const answers: Array<number> = []
    const server = createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8")
      request.on("data", (chunk: string) => (body += chunk))
      request.on("end", () => {
        response.writeHead(answers.shift() ?? 200).end()
        Queue.offerUnsafe(received, { headers: request.headers, body })
      })
    })
    const url = yield* Effect.callback<string>((resume) => {
      server.listen(0, "127.0.0.1", () =>
        resume(Effect.succeed(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
      )
    })
    return { server, url, received, answers }
  }),
  ({ server }) =>
    Effect.callback<void>((resume) => {
      server.closeAllConnections()
      server.close(() => resume(Effect.void))
    })
)
