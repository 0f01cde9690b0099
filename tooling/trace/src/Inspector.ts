/** A connection to the inspector of another Node process, for its coverage by function. */

interface Coverage {
  readonly result: ReadonlyArray<{
    readonly url: string
    readonly functions: ReadonlyArray<{
      readonly functionName: string
      readonly ranges: ReadonlyArray<{ readonly startOffset: number; readonly count: number }>
    }>
  }>
}

export class Inspector {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (result: unknown) => void>()
  #next = 1

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener("message", ({ data }) => {
      // The inspector protocol sends JSON objects of this shape.
      const message = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown }
      if (message.id === undefined) return
      this.#waiting.get(message.id)?.(message.result)
      this.#waiting.delete(message.id)
    })
  }

  /** Connects and starts to count calls. */
  static async connect(url: string): Promise<Inspector> {
    const socket = new WebSocket(url)
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true })
      socket.addEventListener("error", reject, { once: true })
    })
    const inspector = new Inspector(socket)
    await inspector.#call("Profiler.enable")
    await inspector.#call("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
    return inspector
  }

  /** Calls of each function (`/path/File.ts#name@offset`) since the last time. */
  async calls(): Promise<ReadonlyMap<string, number>> {
    // The shape is the documented answer of the protocol.
    const { result } = (await this.#call("Profiler.takePreciseCoverage")) as Coverage
    return new Map(
      result
        .filter(({ url }) => url.startsWith("file://"))
        .flatMap(({ functions, url }) =>
          functions.flatMap(({ functionName, ranges }) => {
            const [whole] = ranges
            if (whole === undefined || whole.count === 0) return []
            const key = `${new URL(url).pathname}#${functionName}@${whole.startOffset}`
            return [[key, whole.count] as const]
          })
        )
    )
  }

  close(): void {
    this.#socket.close()
  }

  #call(method: string, params: object = {}): Promise<unknown> {
    const id = this.#next++
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }
}
