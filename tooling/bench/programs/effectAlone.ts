import { Effect, Redacted, Stream } from "effect"
import { HttpClient } from "effect/http"
const program = Effect.gen(function* () {
  const client = yield* HttpClient.HttpClient
  yield* Stream.runForEach(Stream.make(1), (value) => Effect.log(value))
  return (yield* client.get("https://api.example.com")).status
})
console.log(program, Redacted.make("secret"))
